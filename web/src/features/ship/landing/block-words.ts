/** Puts what keeps an attempt from being merged into one sentence. */
import { cleanLine } from "@contract/text.ts";
import { usePreferences } from "../../../data/preferences.ts";
import { useTranslation } from "../../../i18n/use-translation.tsx";
import type { Block } from "../facts.ts";

export function useBlockWords(): (blocks: readonly Block[]) => string {
  const { t } = useTranslation("ship");
  const { language } = usePreferences();
  return (blocks) => {
    const words = blocks.map(({ code, name = "", count = 1 }) => {
      if (code === "whyCheck") return t("whyCheck", { name: cleanLine(name) });
      if (code === "whyTrouble") return t("whyTrouble", { message: cleanLine(name).replace(/\.$/, "") });
      if (code === "whyPending" || code === "whyThreads" || code === "whyConflictFiles")
        return t(code, { count });
      return t(code);
    });
    return language === "ja" ? `${words.join("、")}。` : `${words.join("; ")}.`;
  };
}
