/** Opens the palette, from the bar. */
import { Search } from "lucide-react";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { KeyCap } from "../../ui/key-cap.tsx";
import { openPalette } from "./palette-state.ts";

export function SearchButton() {
  const { t } = useTranslation("shell");
  return (
    <button
      type="button"
      onClick={openPalette}
      className="flex h-7 items-center justify-center gap-1.5 rounded-control border border-line-strong bg-surface px-2 text-ink-3 lg:min-w-40 xl:min-w-52 pointer-coarse:h-11 pointer-coarse:min-w-11 pointer-coarse:border-transparent pointer-coarse:bg-transparent"
    >
      <Search size={14} aria-hidden="true" />
      <span className="max-lg:sr-only">{t("find")}</span>
      <span className="ml-auto max-lg:hidden">
        <KeyCap spec="mod+k" />
      </span>
    </button>
  );
}
