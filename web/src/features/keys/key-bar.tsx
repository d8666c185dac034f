/** Shows the keys of what has the focus, at the bottom of every screen. */

import type { KeySpec } from "../../data/keys/key-table.ts";
import { usePreferences } from "../../data/preferences.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { KeyCap } from "../../ui/key-cap.tsx";
import { type KeyBinding, useActiveKeys } from "./keys.ts";

/** Hidden from readers, since the list of all keys says the same. */
export function KeyBar() {
  const { t } = useTranslation("keys");
  const { keyBar } = usePreferences();
  const keys = useActiveKeys().filter(({ inBar }) => inBar === true);
  if (!keyBar) return null;
  return (
    <footer
      aria-hidden="true"
      className="col-start-2 flex h-7 items-center gap-3.5 overflow-hidden border-t border-line bg-sunken px-3 text-fine text-ink-3 whitespace-nowrap max-lg:hidden"
    >
      {/* What has no room goes to a second line, out of sight: no key is shown in part. */}
      <span className="flex h-full min-w-0 flex-1 flex-wrap gap-x-3.5 overflow-hidden">
        {grouped(keys).map(({ specs, words }) => (
          <span key={specs.join(" ")} className="flex h-full items-center gap-[5px]">
            {specs.map((spec) => (
              <KeyCap key={spec} spec={spec} />
            ))}
            {words}
          </span>
        ))}
      </span>
      <span className="flex flex-none items-center gap-[5px]">
        <KeyCap spec="?" />
        {t("allKeys")}
      </span>
    </footer>
  );
}

/** Neighbours that do the same, such as both ways to move, share their words. */
function grouped(keys: readonly KeyBinding[]) {
  const groups: { readonly specs: KeySpec[]; readonly words: string }[] = [];
  for (const { spec, words } of keys) {
    const last = groups.at(-1);
    if (last?.words === words) last.specs.push(spec);
    else groups.push({ specs: [spec], words });
  }
  return groups;
}
