/** Stands for unchanged lines that are left out, and offers to show some or all of them. */
import { ArrowDown, ArrowUp } from "lucide-react";
import type { ReactNode } from "react";
import { useFormat } from "../../i18n/format.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { MOST, STEP, type Which } from "./patch/more-lines.ts";
import type { GapRow } from "./patch/rows.ts";

interface GapProps {
  readonly row: GapRow;
  /** It is behind the last hunk. */
  readonly isLast: boolean;
  readonly isCursor: boolean;
}

export function Gap({ row: { lines, hunk, within }, isLast, isCursor }: GapProps) {
  const { t } = useTranslation("diff");
  const { number } = useFormat();
  const isLong = lines === null || lines > STEP;
  const more = (which: Which, words: string, icon: ReactNode = null) => (
    <button type="button" className="diff-more" data-more={which} tabIndex={isCursor ? 0 : -1}>
      {icon}
      {words}
    </button>
  );
  const isWhole = lines !== null && lines <= MOST;
  return (
    <span role="cell" className="diff-gap">
      <span aria-hidden="true">⋯</span>
      <span>{lines === null ? t("restHidden") : t("unchanged", { count: lines })}</span>
      {hunk > 0 && isLong && more("below", t("moreBelow", { count: STEP }), <ArrowDown size={11} />)}
      {!isLast && isLong && more("above", t("moreAbove", { count: STEP }), <ArrowUp size={11} />)}
      {more(
        "all",
        isWhole
          ? t("showAll", { count: lines })
          : lines === null
            ? t("showRest")
            : t("showMany", { lines: number(MOST) }),
      )}
      {within !== "" && <bdi className="font-mono text-ink-3">{within}</bdi>}
    </span>
  );
}
