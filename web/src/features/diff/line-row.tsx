/** Draws one row of a file: a line on one or both sides, unchanged lines left out, or a missing last newline. */
import { memo } from "react";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { CodeText } from "./code/code-text.tsx";
import type { PatchColours } from "./code/highlight.ts";
import { Gap } from "./gap.tsx";
import type { CommentSides } from "./handle.ts";
import { numberOf, type Side } from "./patch/line-of.ts";
import { type FilePatch, type Hunk, isConflictMarker } from "./patch/read-patch.ts";
import type { Layout, LineRow, Row } from "./patch/rows.ts";
import { wordDiff } from "./patch/word-diff.ts";

interface RowProps {
  readonly row: Row;
  readonly index: number;
  readonly top: number;
  readonly patch: FilePatch;
  readonly colours: PatchColours;
  readonly layout: Layout;
  readonly isCursor: boolean;
  readonly isSelected: boolean;
  readonly commentsOn: CommentSides;
}

export const FileRow = memo(function FileRow(props: RowProps) {
  const { row, index, top, isCursor, isSelected, layout } = props;
  return (
    <div
      role="row"
      aria-rowindex={index + 1}
      tabIndex={-1}
      className="diff-row"
      data-row={index}
      data-layout={layout}
      {...(isCursor ? { "data-cursor": "" } : {})}
      {...(isSelected ? { "data-selected": "" } : {})}
      style={{ top }}
    >
      {row.kind === "line" ? (
        <Line {...props} row={row} />
      ) : row.kind === "gap" ? (
        <Gap row={row} isLast={row.hunk === props.patch.hunks.length} isCursor={isCursor} />
      ) : (
        <End side={row.side} />
      )}
    </div>
  );
});

function Line(props: RowProps & { readonly row: LineRow }) {
  const { row, patch, layout } = props;
  const hunk = patch.hunks[row.hunk];
  if (hunk === undefined) return null;
  if (layout === "unified") return <Unified {...props} hunk={hunk} />;
  return (
    <>
      <Half {...props} hunk={hunk} side="old" />
      <Half {...props} hunk={hunk} side="new" />
    </>
  );
}

type LineProps = RowProps & { readonly row: LineRow; readonly hunk: Hunk };

function Unified(props: LineProps) {
  const { row, hunk } = props;
  const side: Side = row.new === null ? "old" : "new";
  return (
    <>
      <span role="rowheader" className="diff-gutter" data-type={row.type}>
        <span className="diff-number">{row.old === null ? "" : numberOf(hunk, "old", row.old)}</span>
        <span className="diff-number">{row.new === null ? "" : numberOf(hunk, "new", row.new)}</span>
        <Sign type={row.type} />
      </span>
      <Code {...props} side={side} type={row.type} />
    </>
  );
}

function Half(props: LineProps & { readonly side: Side }) {
  const { row, hunk, side } = props;
  const at = row[side];
  if (at === null) return <span role="cell" className="diff-nothing" data-side={side} />;
  const type = row.type === "both" ? (side === "old" ? "removed" : "added") : row.type;
  return (
    <>
      <span role="rowheader" className="diff-gutter" data-side={side} data-type={type}>
        <span className="diff-number">{numberOf(hunk, side, at)}</span>
        <Sign type={type} />
      </span>
      <Code {...props} type={type} />
    </>
  );
}

type Type = LineRow["type"];

function Sign({ type }: { readonly type: Type }) {
  const { t } = useTranslation("diff");
  if (type === "same" || type === "both") return <span className="diff-sign" />;
  return (
    <span className="diff-sign" data-sign={type}>
      <span className="visually-hidden">{t(type === "added" ? "addedLine" : "removedLine")}</span>
    </span>
  );
}

function Code(props: LineProps & { readonly side: Side; readonly type: Type }) {
  const { t } = useTranslation("diff");
  const { row, hunk, side, type, colours, commentsOn, isCursor, layout } = props;
  const at = row[side] ?? 0;
  const text = hunk[side][at] ?? "";
  const other = side === "old" ? "new" : "old";
  const pairAt = layout === "split" ? (row.type === "both" ? row[other] : null) : row.pair;
  const pair = pairAt === null ? null : (hunk[other][pairAt] ?? null);
  const marks = pair === null ? [] : side === "old" ? wordDiff(text, pair).old : wordDiff(pair, text).new;
  const line = numberOf(hunk, side, at);
  const isOffered =
    (commentsOn === "both" || (commentsOn === "new" && side === "new")) &&
    (layout === "unified" || side === "new" || row.new === null);
  return (
    <span
      role="cell"
      className="diff-code"
      data-type={type}
      {...(type === "added" && isConflictMarker(text) ? { "data-conflict": "" } : {})}
    >
      {isOffered && (
        <button
          type="button"
          className="diff-comment"
          data-comment={side}
          tabIndex={isCursor ? 0 : -1}
          aria-label={t(side === "old" ? "commentOnRemoved" : "commentOn", { line })}
        />
      )}
      <span className="diff-text">
        <CodeText
          text={text}
          colours={colours[row.hunk]?.[side][at]}
          marks={marks}
          markAs={side === "old" ? "del" : "ins"}
        />
      </span>
    </span>
  );
}

function End({ side }: { readonly side: "old" | "new" | "both" }) {
  const { t } = useTranslation("diff");
  return (
    <span role="cell" className="diff-gap">
      {t(side === "old" ? "noNewlineBefore" : side === "new" ? "noNewlineAfter" : "noNewline")}
    </span>
  );
}
