/** Puts unchanged lines that a patch leaves out between its hunks, and tells what is still left out. */
import { type FilePatch, type Hunk, longest, shownLine } from "./read-patch.ts";

/** Lines of the new side that are not shown, as `[from, to)`; null: nobody knows yet where the file ends. */
interface Gap {
  readonly from: number;
  readonly to: number | null;
  /** What the number of a line on the old side is more than that on the new one. */
  readonly shift: number;
}

/** The gap above that hunk; behind the last one there may be one too. Null if nothing is left out there. */
export function gapAbove({ hunks, hiddenAfter }: FilePatch, index: number): Gap | null {
  const [before, next] = [hunks[index - 1], hunks[index]];
  const from = before === undefined ? 1 : endOf(before, "new");
  const to = next === undefined ? (hiddenAfter === null ? null : from + hiddenAfter) : startOf(next, "new");
  const shift =
    next === undefined
      ? before === undefined
        ? 0
        : endOf(before, "old") - endOf(before, "new")
      : startOf(next, "old") - startOf(next, "new");
  return to !== null && to <= from ? null : { from, to, shift };
}

/** Git counts a side without lines from the line above it. */
function startOf(hunk: Hunk, side: "old" | "new"): number {
  const start = side === "old" ? hunk.oldStart : hunk.newStart;
  return hunk[side].length === 0 ? start + 1 : start;
}

const endOf = (hunk: Hunk, side: "old" | "new"): number => startOf(hunk, side) + hunk[side].length;

/** The number on the new side of a line that is left out; null if it is shown, or not known to be there. */
export function hiddenLine(
  patch: FilePatch,
  { side, line }: { readonly side: "old" | "new"; readonly line: number },
): number | null {
  for (let index = 0; index <= patch.hunks.length; index += 1) {
    const gap = gapAbove(patch, index);
    if (gap === null) continue;
    const at = side === "new" ? line : line - gap.shift;
    if (at >= gap.from && (gap.to === null || at < gap.to)) return at;
  }
  return null;
}

/** What of a gap to show: its first lines, which are below what is above it; its last ones; or as much as may be. */
export type Which = "below" | "above" | "all";

/** Lines of one press, and the most in one answer. */
export const STEP = 20;
export const MOST = 1_000;

/** The first and the last line to ask for; more lines than the file has do no harm. */
export function linesOfGap({ from, to }: Gap, which: Which): { readonly from: number; readonly to: number } {
  const most = which === "all" ? MOST : STEP;
  if (which === "above" && to !== null) return { from: Math.max(from, to - most), to: to - 1 };
  return { from, to: Math.min(to ?? Number.POSITIVE_INFINITY, from + most) - 1 };
}

/** The patch with lines from number `from` on, as the file has them; `total` is how many it has. */
export function withLines(
  patch: FilePatch,
  {
    from,
    lines,
    total,
  }: { readonly from: number; readonly lines: readonly string[]; readonly total: number },
): FilePatch {
  const index = patch.hunks.findIndex((hunk) => startOf(hunk, "new") > from);
  const at = index === -1 ? patch.hunks.length : index;
  const gap = gapAbove(patch, at);
  const fits = gap !== null && from >= gap.from && (gap.to === null || from + lines.length <= gap.to);
  const texts = lines.map((line) => shownLine(line, patch.isWindows));
  const hunks =
    fits && texts.length > 0 ? patch.hunks.toSpliced(at, 0, unchanged(from, gap.shift, texts)) : patch.hunks;
  const last = hunks.at(-1);
  const end = last === undefined ? 1 : endOf(last, "new");
  const hiddenAfter = patch.hiddenAfter === 0 ? 0 : Math.max(0, total + 1 - end);
  return { ...patch, hunks, hiddenAfter, width: longest(texts, patch.width) };
}

function unchanged(from: number, shift: number, lines: readonly string[]): Hunk {
  return {
    oldStart: from + shift,
    newStart: from,
    within: "",
    old: lines,
    new: lines,
    blocks: [{ kind: "same", old: lines.length, new: lines.length }],
    oldLacksNewline: false,
    newLacksNewline: false,
  };
}
