/** Cuts a patch that is too long for a page, and mends the counts of the hunk that is cut. */

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

interface CutPatch {
  readonly text: string;
  readonly isCut: boolean;
}

export function cutPatch(patch: string, maxLines: number): CutPatch {
  const end = endOfLine(patch, maxLines);
  if (end === -1) return { text: patch, isCut: false };
  const text = patch.slice(0, end);
  const start = text.startsWith("@@ ") ? 0 : text.lastIndexOf("\n@@ ") + 1;
  const head = HUNK.exec(text.slice(start, start + 200));
  if (head === null) return { text, isCut: true };
  const lines = text.slice(start).split("\n").slice(1, -1);
  const count = (...signs: readonly string[]) => lines.filter((line) => signs.includes(line[0] ?? "")).length;
  const mended = `@@ -${head[1]},${count("-", " ")} +${head[2]},${count("+", " ")} @@`;
  return { text: text.slice(0, start) + mended + text.slice(start + head[0].length), isCut: true };
}

/** The place behind that many lines; -1 if there are not more. */
function endOfLine(text: string, lines: number): number {
  let at = 0;
  for (let line = 0; line < lines; line += 1) {
    const next = text.indexOf("\n", at);
    if (next === -1) return -1;
    at = next + 1;
  }
  return at < text.length ? at : -1;
}
