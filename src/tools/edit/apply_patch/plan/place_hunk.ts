/** Decides which lines of a file a hunk covers, near its stated line or not; never guesses between two places. */
import { err, ok, type Result } from "neverthrow";
import type { Hunk } from "../parse/change_list.ts";
import { firstBehind, occurrences, standsAt } from "./find_lines.ts";

/** The lines of a file, each with its line feed, and the same lines without any line end. */
interface FileLines {
  readonly exact: readonly string[];
  readonly bare: readonly string[];
}

interface HunkPlace {
  /** Index of the first line that it covers. */
  readonly at: number;
  /** Whether it fits only with line ends ignored. */
  readonly adapted: boolean;
}

export interface HunkFlaw {
  readonly reason: "not-found" | "ambiguous";
  readonly why: string;
  /** The lines of the file that are involved, from 1. */
  readonly lines: readonly number[];
}

interface HunkSearch {
  /** No earlier hunk reaches past this index. */
  readonly from: number;
  /** How many lines after its stated position the previous hunk was found. */
  readonly shift: number;
}

export function placeHunk(file: FileLines, hunk: Hunk, search: HunkSearch): Result<HunkPlace, HunkFlaw> {
  const old = hunk.lines.filter(({ sign }) => sign !== "+").map(({ text }) => text);
  const expected = hunk.start === null ? null : hunk.start + search.shift;
  if (old.length === 0) return placeAddition(file, hunk, { ...search, expected });
  for (const adapted of [false, true]) {
    const lines = adapted ? file.bare : file.exact;
    const wanted = adapted ? old.map(withoutEnd) : old;
    // A hunk mostly fits at its stated line. A long file then needs no search.
    if (expected !== null && expected >= search.from && standsAt(lines, wanted, expected))
      return ok({ at: expected, adapted });
    const places = occurrences(lines, wanted, search.from).filter(
      (at) => !hunk.atEnd || at + wanted.length === lines.length,
    );
    const anchored = behindAnchors(file, hunk, { places, from: search.from });
    const [at] = anchored;
    if (at !== undefined && anchored.length === 1) return ok({ at, adapted });
    if (at !== undefined) return err(ambiguous(anchored));
  }
  return err(notFound(file, old, { expected, search }));
}

export function linesOfFile(content: string): FileLines {
  const exact = content === "" ? [] : content.split(/(?<=\n)/);
  return { exact, bare: exact.map(withoutEnd) };
}

/** Places a hunk that only adds: at its stated line, else after its anchor, else at the file's end. */
function placeAddition(
  file: FileLines,
  hunk: Hunk,
  { from, expected }: HunkSearch & { readonly expected: number | null },
): Result<HunkPlace, HunkFlaw> {
  const { length } = file.exact;
  const usesCrlf = file.exact[0]?.endsWith("\r\n") ?? false;
  if (expected === null && hunk.anchors.length === 0) return ok({ at: length, adapted: usesCrlf });
  if (expected === null) {
    const ends = anchorEnds(file, hunk.anchors, from);
    const [at] = ends;
    if (at === undefined)
      return err({ reason: "not-found", why: "the line behind @@ is not there", lines: [] });
    return ends.length === 1 ? ok({ at, adapted: usesCrlf }) : err(ambiguous(ends));
  }
  if (expected >= from && expected <= length) return ok({ at: expected, adapted: false });
  return err({
    reason: "not-found",
    why: `the file has ${length === 1 ? "1 line" : `${length} lines`}`,
    lines: [],
  });
}

/** Keeps, for each place of the anchors, the first of these places after it. */
function behindAnchors(
  file: FileLines,
  { anchors }: Hunk,
  { places, from }: { readonly places: readonly number[]; readonly from: number },
): readonly number[] {
  return anchors.length === 0 ? places : firstBehind(places, anchorEnds(file, anchors, from));
}

/** The indexes after the last anchor, for each way to find the anchors one below the other. */
function anchorEnds({ bare }: FileLines, anchors: readonly string[], from: number): readonly number[] {
  const trimmed = bare.map((line) => line.trim());
  return anchors.reduce<readonly number[]>((ends, anchor, depth) => {
    if (depth > 0 && ends.length === 0) return ends;
    const places = occurrences(trimmed, [anchor.trim()], from);
    return (depth === 0 ? places : firstBehind(places, ends)).map((at) => at + 1);
  }, []);
}

function ambiguous(places: readonly number[]): HunkFlaw {
  const lines = places.map((at) => at + 1);
  const shown = `${lines.slice(0, 5).join(", ")}${lines.length > 5 ? ", …" : ""}`;
  const why = `it fits in ${lines.length} places (lines ${shown}); give more lines of context`;
  return { reason: "ambiguous", why, lines: lines.slice(0, 100) };
}

function notFound(
  file: FileLines,
  old: readonly string[],
  { expected, search }: { readonly expected: number | null; readonly search: HunkSearch },
): HunkFlaw {
  const at = expected === null ? bestStart(file, old, search.from) : Math.min(expected, file.bare.length);
  const wrong = old.findIndex((line, index) => withoutEnd(line) !== file.bare[at + index]);
  const line = at + Math.max(0, wrong);
  const found = file.bare[line];
  const has = found === undefined ? "the file ends before it" : `the file has ${quoted(found)}`;
  const why = `line ${line + 1}: the patch expects ${quoted(old[Math.max(0, wrong)] ?? "")}, ${has}`;
  return { reason: "not-found", why, lines: [line + 1] };
}

/** The start from which the most lines agree in a row. */
function bestStart(file: FileLines, old: readonly string[], from: number): number {
  const [first = ""] = old;
  let best = { at: from, length: 0 };
  for (const at of occurrences(file.bare, [withoutEnd(first)], from).slice(0, 1000)) {
    const differs = old.findIndex((line, index) => withoutEnd(line) !== file.bare[at + index]);
    if (differs > best.length) best = { at, length: differs };
  }
  return best.at;
}

function withoutEnd(line: string): string {
  return line.replace(/\r?\n$|\r$/, "");
}

function quoted(bytes: string): string {
  const text = Buffer.from(withoutEnd(bytes), "latin1").toString("utf8");
  return JSON.stringify(text.length > 120 ? `${text.slice(0, 120)}…` : text);
}
