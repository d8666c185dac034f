/** Shows the keys of what has the focus, at the bottom of every screen. */
import { useTranslation } from "react-i18next";
import { usePreferences } from "../../data/preferences.ts";
import { KeyCap } from "../../ui/key-cap.tsx";
import { useActiveKeys } from "./keys.ts";

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
      {keys.map(({ spec, words }) => (
        <span key={spec} className="flex items-center gap-[5px]">
          <KeyCap spec={spec} />
          {words}
        </span>
      ))}
      <span className="ml-auto flex items-center gap-[5px]">
        <KeyCap spec="?" />
        {t("allKeys")}
      </span>
    </footer>
  );
}
