/** Applies the hunks of one file to its content: all of them, or none. */
import { err, ok, type Result } from "neverthrow";
import type { Hunk } from "../parse/change_list.ts";
import { type HunkFlaw, linesOfFile, placeHunk } from "./place_hunk.ts";

interface AppliedHunk {
  /** First line of the old content that it covers, from 1. */
  readonly line: number;
  /** How many lines after the stated position it was found; 0 if none was stated. */
  readonly offset: number;
}

export interface AppliedHunks {
  readonly content: string;
  readonly additions: number;
  readonly deletions: number;
  readonly hunks: readonly AppliedHunk[];
  /** Whether a hunk fitted only with line ends ignored. Its added lines then get the line ends of the file. */
  readonly adapted: boolean;
}

export interface FailedHunk extends HunkFlaw {
  /** From 1. */
  readonly hunk: number;
  readonly patchLine: number;
}

export function applyHunks(content: string, hunks: readonly Hunk[]): Result<AppliedHunks, FailedHunk> {
  const file = linesOfFile(content);
  const lineEnd = usualEnd(file.exact);
  const result: string[] = [];
  const applied: AppliedHunk[] = [];
  let [cursor, shift, adapted] = [0, 0, false];
  for (const hunk of inOrder(hunks)) {
    const place = placeHunk(file, hunk, { from: cursor, shift });
    if (place.isErr())
      return err({ ...place.error, hunk: hunks.indexOf(hunk) + 1, patchLine: hunk.patchLine });
    const { at } = place.value;
    shift = hunk.start === null ? 0 : at - hunk.start;
    applied.push({ line: at + 1, offset: shift });
    adapted = adapted || place.value.adapted;
    append(result, file.exact.slice(cursor, at));
    cursor = at;
    for (const { sign, text } of hunk.lines) {
      if (sign === "+") result.push(place.value.adapted ? text.replace(/\r?\n$/, lineEnd) : text);
      if (sign === " ") result.push(file.exact[cursor] ?? "");
      if (sign !== "+") cursor += 1;
    }
  }
  append(result, file.exact.slice(cursor));
  const count = (wanted: string) =>
    hunks.flatMap(({ lines }) => lines).filter(({ sign }) => sign === wanted).length;
  return ok({
    content: joined(result, lineEnd),
    additions: count("+"),
    deletions: count("-"),
    hunks: applied,
    adapted,
  });
}

/** Hunks may come in any order if all of them state a position. */
function inOrder(hunks: readonly Hunk[]): readonly Hunk[] {
  if (hunks.some(({ start }) => start === null)) return hunks;
  return hunks.toSorted((a, b) => (a.start ?? 0) - (b.start ?? 0));
}

function append(to: string[], lines: readonly string[]): void {
  for (const line of lines) to.push(line);
}

/** Adds a line feed to a former last line that had none. */
function joined(lines: readonly string[], lineEnd: string): string {
  return lines
    .map((line, at) => (line.endsWith("\n") || at === lines.length - 1 ? line : line + lineEnd))
    .join("");
}

function usualEnd(lines: readonly string[]): string {
  const ended = lines.filter((line) => line.endsWith("\n"));
  const crlf = ended.filter((line) => line.endsWith("\r\n")).length;
  return crlf * 2 > ended.length ? "\r\n" : "\n";
}
