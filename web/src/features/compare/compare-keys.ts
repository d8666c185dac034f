/** The keys of the comparison (design system, section 11). */
import { useTranslation } from "react-i18next";
import { type KeyBinding, useKeys } from "../keys/keys.ts";

interface CompareActs {
  readonly count: number;
  readonly onAttempt: (index: number) => void;
  readonly onStepAttempt: (by: 1 | -1) => void;
  readonly onStepFile: (by: 1 | -1) => void;
  readonly onAgainst: () => void;
  readonly onHideNames: () => void;
  readonly onOnlyDiffering: () => void;
  readonly onChoose: () => void;
  readonly onReview: () => void;
  readonly onShip: () => void;
  readonly onOpen: () => void;
  readonly onBack: () => void;
}

export function useCompareKeys(acts: CompareActs): void {
  const { t } = useTranslation("keys");
  const { t: c } = useTranslation("compare");
  const numbers = Array.from(
    { length: Math.min(9, acts.count) },
    (_, index): KeyBinding => ({
      spec: String(index + 1),
      words: c("keyLetter"),
      run: () => acts.onAttempt(index),
      inBar: index < 3,
    }),
  );
  useKeys([
    ...numbers,
    { spec: "j", words: t("file"), run: () => acts.onStepFile(1), inBar: true },
    { spec: "k", words: t("file"), run: () => acts.onStepFile(-1), inBar: true },
    { spec: "]", words: t("file"), run: () => acts.onStepFile(1) },
    { spec: "[", words: t("file"), run: () => acts.onStepFile(-1) },
    { spec: "h", words: c("keyLetter"), run: () => acts.onStepAttempt(-1) },
    { spec: "l", words: c("keyLetter"), run: () => acts.onStepAttempt(1) },
    { spec: "t", words: c("keyAgainst"), run: acts.onAgainst, inBar: true },
    { spec: "b", words: t("hideNames"), run: acts.onHideNames, inBar: true },
    { spec: "/", words: c("differ"), run: acts.onOnlyDiffering },
    { spec: "w", words: c("keyChoose"), run: acts.onChoose, inBar: true },
    { spec: "v", words: t("review"), run: acts.onReview, inBar: true },
    { spec: "S", words: t("ship"), run: acts.onShip },
    { spec: "enter", words: t("open"), run: acts.onOpen },
    {
      spec: "escape",
      words: t("back"),
      whileTyping: true,
      inBar: true,
      run: () => {
        const focus = document.activeElement;
        if (focus instanceof HTMLElement && focus.matches("input, textarea, select")) focus.blur();
        else acts.onBack();
      },
    },
  ]);
}
