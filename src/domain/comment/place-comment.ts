/** Finds the lines of a comment again in a file that changed, by their text; the nearest equal ones count. */
import type { Comment } from "./comment.ts";

/** Counts from 1; both ends belong to it. */
interface Place {
  readonly line: number;
  readonly endLine: number;
}

/** UTF-16 units of one line that are quoted and compared. */
const MAX_LINE = 2_000;

/** The lines of a file, without their ends. */
export function linesOf(text: string): readonly string[] {
  const lines = text.split("\n").map(shownLine);
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

function shownLine(line: string): string {
  return line.replace(/\r$/, "").slice(0, MAX_LINE);
}

/** The text of those lines; null if the file does not have all of them. */
export function quotedAt(lines: readonly string[], { line, endLine }: Place): string | null {
  if (line < 1 || endLine < line || endLine > lines.length) return null;
  return lines.slice(line - 1, endLine).join("\n");
}

/** Null if the text is nowhere. Of two places that are equally near, the earlier one. */
export function placeAgain(
  { line, quoted }: { readonly line: number; readonly quoted: string },
  lines: readonly string[],
): Place | null {
  const block = quoted.split("\n").map(shownLine);
  let nearest: number | null = null;
  for (let at = 0; at + block.length <= lines.length; at++) {
    const isNearer = nearest === null || Math.abs(at + 1 - line) < Math.abs(nearest - line);
    if (isNearer && block.every((text, index) => lines[at + index] === text)) nearest = at + 1;
  }
  return nearest === null ? null : { line: nearest, endLine: nearest + block.length - 1 };
}

/** Whether a change of the file touched the lines, or put something directly before or behind them. */
export function isTouched(place: Place, before: readonly string[], after: readonly string[]): boolean {
  const first = Math.max(0, place.line - 2);
  // The edge of the file is a neighbour too.
  const around = [...before.slice(first, place.endLine + 1)];
  const block = {
    lines: around,
    atStart: place.line === 1,
    atEnd: place.endLine === before.length,
  };
  return countOf(block, after) < countOf(block, before);
}

interface Block {
  readonly lines: readonly string[];
  readonly atStart: boolean;
  readonly atEnd: boolean;
}

function countOf({ lines, atStart, atEnd }: Block, file: readonly string[]): number {
  let count = 0;
  for (let at = 0; at + lines.length <= file.length; at++) {
    if ((atStart && at > 0) || (atEnd && at + lines.length < file.length)) continue;
    if (lines.every((text, index) => file[at + index] === text)) count++;
  }
  return count;
}

/** Those of a comment; null for one on a whole file. */
export function placeOf({ line, endLine }: Pick<Comment, "line" | "endLine">): Place | null {
  return line === null ? null : { line, endLine: endLine ?? line };
}
