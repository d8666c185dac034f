/** Names a rule of the gate in this device's language; a rule of a newer server keeps the server's words. */
import { cleanLine } from "@contract/text.ts";
import { useTranslation } from "react-i18next";
import type { GateRow } from "../facts.ts";

export function useRuleWords() {
  const { t, i18n } = useTranslation("gate");
  return ({ rule, title }: Pick<GateRow, "rule" | "title">): string => {
    if (rule.startsWith("check:")) return cleanLine(rule.slice("check:".length));
    return i18n.exists(`gate:${rule}`) ? t(rule as "credential") : cleanLine(title);
  };
}
