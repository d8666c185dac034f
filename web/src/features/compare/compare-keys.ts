/** The keys of the comparison (design system, section 11). */
import { NUMBER_KEYS } from "../../data/keys/key-table.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { escapeKey } from "../keys/escape-key.ts";
import { type KeyBinding, useKeys } from "../keys/keys.ts";

interface CompareActs {
  readonly count: number;
  readonly onAttempt: (index: number) => void;
  readonly onStepAttempt: (by: 1 | -1) => void;
  readonly onStepFile: (by: 1 | -1) => void;
  readonly onAgainst: () => void;
  readonly onHideNames: () => void;
  readonly onLayout: () => void;
  readonly onSpace: () => void;
  /** Hides one side, so that the other has the whole width. */
  readonly onHide: (side: "files" | "diffs") => void;
  readonly onOnlyDiffering: () => void;
  readonly onChoose: () => void;
  readonly onReview: () => void;
  readonly onShip: () => void;
  readonly onOpen: () => void;
  readonly onOutside: () => void;
  readonly onCopy: () => void;
  readonly onBack: () => void;
}

export function useCompareKeys(acts: CompareActs): void {
  const { t } = useTranslation("keys");
  const { t: c } = useTranslation("compare");
  const numbers = NUMBER_KEYS.map(
    (spec, index): KeyBinding => ({
      spec,
      words: c("keyLetter"),
      run: () => index < acts.count && acts.onAttempt(index),
      inBar: index < Math.min(3, acts.count),
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
    { spec: "u", words: t("layout"), run: acts.onLayout, inBar: true },
    { spec: "W", words: t("whiteSpace"), run: acts.onSpace },
    { spec: "\\", words: c("panes"), run: () => acts.onHide("diffs") },
    { spec: "|", words: c("byAttempt"), run: () => acts.onHide("files") },
    { spec: "b", words: t("hideNames"), run: acts.onHideNames, inBar: true },
    { spec: "/", words: c("differ"), run: acts.onOnlyDiffering },
    { spec: "w", asks: "choose", words: c("keyChoose"), run: acts.onChoose, inBar: true },
    { spec: "v", words: t("review"), run: acts.onReview, inBar: true },
    { spec: "=", words: t("compare"), run: () => document.querySelector<HTMLElement>("main")?.focus() },
    { spec: "S", words: t("ship"), run: acts.onShip },
    { spec: "o", words: t("openOutside"), run: acts.onOutside },
    { spec: "y", words: t("copy"), run: acts.onCopy },
    { spec: "enter", words: t("open"), run: acts.onOpen },
    escapeKey(t("back"), acts.onBack),
  ]);
}
