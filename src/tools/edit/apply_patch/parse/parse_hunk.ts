/** Reads one hunk of a unified diff, even if its header has wrong counts, as people and models write them. */
import type { Hunk, HunkLine } from "./change_list.ts";

interface ReadHunk {
  readonly hunk: Hunk;
  /** Index of the line after it. */
  readonly next: number;
}

interface Counts {
  readonly start: number;
  readonly old: number;
  readonly new: number;
}

const HEADER = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@/;

/** `at` is the index of a line that begins with `@@`. Null if the hunk has no lines. */
export function parseHunk(lines: readonly string[], at: number): ReadHunk | null {
  const counts = countsOf(lines[at] ?? "");
  const end = (counts && countedEnd(lines, at + 1, counts)) ?? guessedEnd(lines, at + 1);
  const found = hunkLines(lines.slice(at + 1, end));
  if (found.length === 0) return null;
  const hasOld = found.some(({ sign }) => sign !== "+");
  const start = counts === null ? null : Math.max(0, hasOld ? counts.start - 1 : counts.start);
  return { hunk: { patchLine: at + 1, start, lines: found, anchors: [], atEnd: false }, next: end };
}

/** Whether a file's section or another hunk begins here. */
function isBoundary(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? "";
  if (/^(?:diff --git |@@)/.test(line)) return true;
  return line.startsWith("--- ") && (lines[at + 1] ?? "").startsWith("+++ ");
}

/** The signed lines of a hunk. An empty line is a blank line of context whose space was trimmed. */
export function hunkLines(lines: readonly string[]): HunkLine[] {
  const found: HunkLine[] = [];
  for (const line of lines) {
    const last = found.at(-1);
    if (line.startsWith("\\")) {
      if (last !== undefined) found[found.length - 1] = { ...last, text: last.text.replace(/\n$/, "") };
      continue;
    }
    const sign = line.charAt(0);
    const isSigned = sign === "+" || sign === "-" || sign === " ";
    found.push({ sign: isSigned ? sign : " ", text: `${isSigned ? line.slice(1) : line}\n` });
  }
  return found;
}

function countsOf(header: string): Counts | null {
  const [, start, old = "1", , added = "1"] = HEADER.exec(header) ?? [];
  return start === undefined ? null : { start: Number(start), old: Number(old), new: Number(added) };
}

/** The end of the hunk by its own counts; null if those cannot be right. */
function countedEnd(lines: readonly string[], from: number, counts: Counts): number | null {
  let [old, added] = [counts.old, counts.new];
  let at = from;
  for (; old > 0 || added > 0; at++) {
    const line = lines[at];
    if (line === undefined) return null;
    const sign = line === "" || line === "\r" ? " " : line.charAt(0);
    if (sign === "\\") continue;
    if (!" +-".includes(sign)) return null;
    if (sign !== "+") old -= 1;
    if (sign !== "-") added -= 1;
    if (old < 0 || added < 0) return null;
  }
  while (lines[at]?.startsWith("\\")) at += 1;
  return goesOn(lines, at) ? null : at;
}

/** Whether the following lines look like a part of the hunk before. */
function goesOn(lines: readonly string[], from: number): boolean {
  let at = from;
  while (lines[at] === "" || lines[at] === "\r") at += 1;
  const line = lines[at] ?? "";
  return /^[ +-]/.test(line) && !isBoundary(lines, at) && !isSignature(lines, at);
}

/** The end of a mailed patch: a line that could also delete a dash, and git's version below it. */
export function isSignature(lines: readonly string[], at: number): boolean {
  const below = lines[at + 1] ?? "";
  return /^-- ?\r?$/.test(lines[at] ?? "") && /^[^ +\-\\\r]/.test(below) && !isBoundary(lines, at + 1);
}

function guessedEnd(lines: readonly string[], from: number): number {
  let at = from;
  while (at < lines.length && !isBoundary(lines, at)) {
    const line = lines[at] ?? "";
    if (isSignature(lines, at) || (line !== "" && line !== "\r" && !/^[ +\-\\]/.test(line))) break;
    at += 1;
  }
  // Blank lines at the end separate sections; they are not part of the file.
  while (at > from && (lines[at - 1] === "" || lines[at - 1] === "\r")) at -= 1;
  return at;
}
