/** Tells the place of a row in the files that the diff compares. */
import type { Which } from "./more-lines.ts";
import type { FilePatch, Hunk } from "./read-patch.ts";
import type { LineRow, Row } from "./rows.ts";

export type Side = "old" | "new";

/** Lines of one side of a file. */
export interface LinePlace {
  readonly path: string;
  readonly side: Side;
  readonly line: number;
  readonly endLine: number | null;
}

export const numberOf = (hunk: Hunk, side: Side, at: number): number =>
  (side === "old" ? hunk.oldStart : hunk.newStart) + at;

/** The new side, if the row has one. */
function placeOf(row: LineRow, patch: FilePatch): { readonly side: Side; readonly line: number } | null {
  const hunk = patch.hunks[row.hunk];
  if (hunk === undefined) return null;
  if (row.new !== null) return { side: "new", line: numberOf(hunk, "new", row.new) };
  return row.old === null ? null : { side: "old", line: numberOf(hunk, "old", row.old) };
}

/** The row that shows a line; -1 if none does. */
export function rowOf(
  rows: readonly Row[],
  patch: FilePatch,
  { side, line }: { readonly side: Side; readonly line: number },
): number {
  return rows.findIndex((row) => {
    if (row.kind !== "line") return false;
    const at = row[side];
    const hunk = patch.hunks[row.hunk];
    return at !== null && hunk !== undefined && numberOf(hunk, side, at) === line;
  });
}

/** The text of lines; null if not all of them are shown. */
export function textOf(patch: FilePatch | null, { side, line, endLine }: LinePlace): string | null {
  const texts: string[] = [];
  for (let number = line; number <= (endLine ?? line); number += 1) {
    const hunk = patch?.hunks.find(
      (each) => numberOf(each, side, 0) <= number && number < numberOf(each, side, each[side].length),
    );
    const text = hunk?.[side][number - numberOf(hunk, side, 0)];
    if (text === undefined) return null;
    texts.push(text);
  }
  return texts.join("\n");
}

/** The lines that two rows and those between them show, on the side of the second one; null if there are none. */
export function linesBetween(
  rows: readonly Row[],
  patch: FilePatch,
  between: readonly [number, number],
): Omit<LinePlace, "path"> | null {
  const [from, to] = between[0] <= between[1] ? between : [between[1], between[0]];
  const within = rows.slice(from, to + 1).filter((row) => row.kind === "line");
  const last = within.at(-1);
  const end = last === undefined ? null : placeOf(last, patch);
  if (end === null) return null;
  const lines = within.flatMap((row) => {
    const at = row[end.side];
    const hunk = patch.hunks[row.hunk];
    return at === null || hunk === undefined ? [] : [numberOf(hunk, end.side, at)];
  });
  const first = lines[0] ?? end.line;
  return { side: end.side, line: first, endLine: first === end.line ? null : end.line };
}

/** The row to go on with after lines were shown: what is still left out on that side of them, else the first of them. */
export function rowAfterShowing(
  rows: readonly Row[],
  patch: FilePatch,
  { from, to, which }: { readonly from: number; readonly to: number; readonly which: Which },
): number {
  const first = rowOf(rows, patch, { side: "new", line: from });
  const last = rowOf(rows, patch, { side: "new", line: to });
  const next = which === "above" ? first - 1 : which === "below" ? last + 1 : first;
  if (first === -1) return rows.length - 1;
  return rows[next]?.kind === "gap" ? next : first;
}
