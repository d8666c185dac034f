/** Names a rule of the gate in this device's language; a rule of a newer server keeps the server's words. */
import { cleanLine } from "@contract/text.ts";
import { useTranslation } from "../../../i18n/use-translation.tsx";
import type { GateRow } from "../facts.ts";

export function useRuleWords() {
  const { t, isKnown } = useTranslation("gate");
  return ({ rule, title }: Pick<GateRow, "rule" | "title">): string => {
    if (rule.startsWith("check:")) return cleanLine(rule.slice("check:".length));
    return isKnown(rule) ? t(rule) : cleanLine(title);
  };
}
