/** Reads the patch of one file into its hunks, and marks which part of a changed line is other. */

export interface PatchLine {
  readonly kind: "context" | "added" | "removed";
  /** Its line in the base; null for an added one. */
  readonly base: number | null;
  /** Its line in the result; null for a removed one. */
  readonly line: number | null;
  readonly text: string;
  /** From and to which character it differs from its partner; null if it has none. */
  readonly changed: readonly [number, number] | null;
}

export interface PatchHunk {
  /** Counted from 1, as the composition counts. */
  readonly number: number;
  /** What git found above it, such as a function's name. */
  readonly section: string;
  /** Its first line in the base, and how many of them it has. */
  readonly base: number;
  readonly baseCount: number;
  readonly line: number;
  readonly lines: readonly PatchLine[];
}

export interface FilePatch {
  readonly hunks: readonly PatchHunk[];
  readonly isBinary: boolean;
}

const HEAD = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/;

export function readFilePatch(patch: string): FilePatch {
  const hunks: PatchHunk[] = [];
  let isBinary = false;
  let open: { hunk: PatchHunk; lines: PatchLine[]; base: number; line: number } | null = null;
  for (const text of patch.split("\n")) {
    const head = HEAD.exec(text);
    if (head !== null) {
      const [base, baseCount] = [Number(head[1]), Number(head[2] ?? 1)];
      const [line, lineCount] = [Number(head[3]), Number(head[4] ?? 1)];
      const lines: PatchLine[] = [];
      // Git names the line before a place at which there is none.
      const first = baseCount === 0 ? base + 1 : base;
      const hunk = {
        number: hunks.length + 1,
        section: head[5] ?? "",
        base: first,
        baseCount,
        line: lineCount === 0 ? line + 1 : line,
        lines,
      };
      hunks.push(hunk);
      open = { hunk, lines, base: first, line: hunk.line };
    } else if (open === null) {
      isBinary ||= text.startsWith("Binary files ") || text === "GIT binary patch";
    } else if (text.startsWith("+")) {
      open.lines.push({ kind: "added", base: null, line: open.line++, text: text.slice(1), changed: null });
    } else if (text.startsWith("-")) {
      open.lines.push({ kind: "removed", base: open.base++, line: null, text: text.slice(1), changed: null });
    } else if (text.startsWith(" ")) {
      const [base, line] = [open.base++, open.line++];
      open.lines.push({ kind: "context", base, line, text: text.slice(1), changed: null });
    }
  }
  return { hunks: hunks.map((hunk) => ({ ...hunk, lines: withMarks(hunk.lines) })), isBinary };
}

/** Pairs removed lines with the added ones right after them, in their order. */
function withMarks(lines: readonly PatchLine[]): readonly PatchLine[] {
  const marked = [...lines];
  let at = 0;
  while (at < lines.length) {
    const removed = countFrom(lines, at, "removed");
    const added = countFrom(lines, at + removed, "added");
    for (let index = 0; index < Math.min(removed, added); index++) {
      const [before, after] = [lines[at + index] as PatchLine, lines[at + removed + index] as PatchLine];
      const change = changeBetween(before.text, after.text);
      if (change === null) continue;
      marked[at + index] = { ...before, changed: change.before };
      marked[at + removed + index] = { ...after, changed: change.after };
    }
    at += Math.max(1, removed + added);
  }
  return marked;
}

function countFrom(lines: readonly PatchLine[], from: number, kind: PatchLine["kind"]): number {
  let count = 0;
  while (lines[from + count]?.kind === kind) count++;
  return count;
}

/** What lies between the common beginning and the common end. Null if little is common: then all of it is other. */
function changeBetween(
  before: string,
  after: string,
): { readonly before: readonly [number, number]; readonly after: readonly [number, number] } | null {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  if (before === after || (start + end) * 2 < shorter) return null;
  return { before: [start, before.length - end], after: [start, after.length - end] };
}
