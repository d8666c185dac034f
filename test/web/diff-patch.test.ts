/** Holds what the diff view makes of a patch: lines that are safe to show, rows, marks, and cuts. */
import { expect, test } from "bun:test";
import { alignIgnoringSpace } from "../../web/src/features/diff/patch/align.ts";
import { cutPatch } from "../../web/src/features/diff/patch/cut-patch.ts";
import { heldBack } from "../../web/src/features/diff/patch/file-kind.ts";
import { linesBetween, rowAfterShowing, rowOf, textOf } from "../../web/src/features/diff/patch/line-of.ts";
import { gapAbove, hiddenLine, linesOfGap, withLines } from "../../web/src/features/diff/patch/more-lines.ts";
import { readPatch } from "../../web/src/features/diff/patch/read-patch.ts";
import { rowsOf } from "../../web/src/features/diff/patch/rows.ts";
import { wordDiff } from "../../web/src/features/diff/patch/word-diff.ts";

const HEAD = "diff --git a/f.ts b/f.ts\nindex 1..2 100644\n--- a/f.ts\n+++ b/f.ts\n";
const PATCH = `${HEAD}@@ -3,4 +3,5 @@ class A
 same
--- a/looks like a header
+- a/looks like a header
+more
 end
 last
`;
const UNIFIED = { layout: "unified", hideSpace: false } as const;

test("a removed line that looks like a file header stays a line", () => {
  const patch = readPatch({ patch: PATCH });
  const [hunk] = patch.hunks;
  expect(hunk?.old).toEqual(["same", "-- a/looks like a header", "end", "last"]);
  expect(rowsOf(patch, UNIFIED).map((row) => (row.kind === "line" ? row.type : row.kind))).toEqual([
    "gap",
    "same",
    "removed",
    "added",
    "added",
    "same",
    "same",
  ]);
});

test("rows and lines find each other on both sides", () => {
  const patch = readPatch({ patch: PATCH });
  for (const layout of ["unified", "split"] as const) {
    const rows = rowsOf(patch, { layout, hideSpace: false });
    const row = rowOf(rows, patch, { side: "new", line: 5 });
    expect(linesBetween(rows, patch, [row, row])).toEqual({ side: "new", line: 5, endLine: null });
    expect(linesBetween(rows, patch, [row, row + 1])).toEqual({ side: "new", line: 5, endLine: 6 });
    expect(rowOf(rows, patch, { side: "old", line: 999 })).toBe(-1);
  }
});

test("characters that hide or reorder text are shown, and ends of lines of Windows only if they differ", () => {
  const evil = readPatch({ patch: `${HEAD}@@ -0,0 +1,2 @@\n+a\u202eb\u001b[31m\n+c\r\n` });
  expect(evil.hunks[0]?.new).toEqual(["a<U+202E>b␛[31m", "c␍"]);
  const windows = readPatch({ patch: `${HEAD}@@ -1 +1 @@\n-a\r\n+b\r\n` });
  expect(windows.hunks[0]?.new).toEqual(["b"]);
});

test("a missing last newline is told for the side that lacks it", () => {
  const end = "\\ No newline at end of file\n";
  const patch = readPatch({ patch: `${HEAD}@@ -1 +1 @@\n-a\n+b\n${end}` });
  expect(rowsOf(patch, UNIFIED).at(-1)).toEqual({ kind: "end", side: "new" });
});

test("modes, binary files and conflict markers are recognised", () => {
  const mode = "diff --git a/x b/x\nold mode 100644\nnew mode 100755\n";
  expect(readPatch({ patch: mode }).modes).toEqual({ from: "100644", to: "100755" });
  const binary = "diff --git a/x b/x\nindex 1..2 100644\nBinary files a/x and b/x differ\n";
  expect(readPatch({ patch: binary }).isBinary).toBe(true);
  const conflict = readPatch({ patch: `${HEAD}@@ -0,0 +1 @@\n+<<<<<<< ours\n` });
  expect(conflict.hasConflictMarkers).toBe(true);
});

test("a patch that is cut has the counts of what is left", () => {
  const { text, isCut } = cutPatch(PATCH, 7);
  expect(isCut).toBe(true);
  expect(text).toContain("@@ -3,2 +3,1 @@ class A");
  expect(cutPatch(PATCH, 100)).toEqual({ text: PATCH, isCut: false });
});

test("lines that differ by white space alone are the same if it is hidden", () => {
  expect(alignIgnoringSpace(["f( )", "b"], ["f()", "new", "b"])).toEqual([
    { kind: "same", old: 1, new: 1 },
    { kind: "change", old: 0, new: 1 },
    { kind: "same", old: 1, new: 1 },
  ]);
});

test("changed words are marked, but not lines that have little in common", () => {
  const { old, new: fresh } = wordDiff("return open(file);", "return open(path);");
  expect(old).toEqual([[12, 16]]);
  expect(fresh).toEqual([[12, 16]]);
  expect(wordDiff("alpha beta gamma", "one two three").old).toEqual([]);
});

test("binary files, lockfiles and big files are held back", () => {
  const file = { path: "a.ts", status: "modified", additions: 1, deletions: 1, sizes: null };
  expect(heldBack(file)).toBeNull();
  expect(heldBack({ ...file, additions: null, deletions: null })).toBe("binary");
  expect(heldBack({ ...file, path: "web/package-lock.json" })).toBe("lockfile");
  expect(heldBack({ ...file, additions: 8_214 })).toBe("big");
});

const LONG = `${HEAD}@@ -40,7 +40,8 @@ class A
 a
 b
 c
-old
+new
+more
 d
 e
 f
@@ -100,4 +101,3 @@
 x
 y
 z
-gone
`;
const numbered = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => `line ${from + at}`);

test("what a patch leaves out is known above, between and behind its hunks", () => {
  const patch = readPatch({ patch: LONG });
  expect(gapAbove(patch, 0)).toEqual({ from: 1, to: 40, shift: 0 });
  expect(gapAbove(patch, 1)).toEqual({ from: 48, to: 101, shift: -1 });
  // Less than three unchanged lines are behind the last change, so the file ends there.
  expect(gapAbove(patch, 2)).toBeNull();
  const open = readPatch({ patch: LONG.slice(0, LONG.indexOf("@@ -100")) });
  expect(gapAbove(open, 1)).toEqual({ from: 48, to: null, shift: -1 });
  expect(rowsOf(open, UNIFIED).at(-1)).toEqual({ kind: "gap", lines: null, hunk: 1, within: "" });
  expect(hiddenLine(patch, { side: "old", line: 60 })).toBe(61);
  expect([41, 90, 102].map((line) => hiddenLine(patch, { side: "new", line }))).toEqual([null, 90, null]);
});

test("twenty lines come from either end of a gap, and all of it if it is not too long", () => {
  const gap = { from: 48, to: 101, shift: -1 };
  expect(linesOfGap(gap, "below")).toEqual({ from: 48, to: 67 });
  expect(linesOfGap(gap, "above")).toEqual({ from: 81, to: 100 });
  expect(linesOfGap(gap, "all")).toEqual({ from: 48, to: 100 });
  expect(linesOfGap({ ...gap, to: 9_000 }, "all")).toEqual({ from: 48, to: 1_047 });
  expect(linesOfGap({ ...gap, to: null }, "below")).toEqual({ from: 48, to: 67 });
});

test("lines that are shown later stand at their place on both sides, and find their rows and their text", () => {
  const patch = readPatch({ patch: LONG });
  const above = withLines(patch, { from: 81, lines: numbered(81, 20), total: 103 });
  for (const layout of ["unified", "split"] as const) {
    const rows = rowsOf(above, { layout, hideSpace: false });
    expect(rows.filter(({ kind }) => kind === "gap")).toMatchObject([{ lines: 39 }, { lines: 33 }]);
    const row = rowOf(rows, above, { side: "old", line: 80 });
    expect(linesBetween(rows, above, [row, row])).toEqual({ side: "new", line: 81, endLine: null });
    expect(rows[rowAfterShowing(rows, above, { from: 81, to: 100, which: "above" })]?.kind).toBe("gap");
  }
  expect(textOf(above, { path: "f.ts", side: "new", line: 100, endLine: 102 })).toBe("line 100\nx\ny");
  expect(textOf(above, { path: "f.ts", side: "new", line: 80, endLine: 82 })).toBeNull();
  const whole = withLines(above, { from: 48, lines: numbered(48, 33), total: 103 });
  expect(rowsOf(whole, UNIFIED).filter(({ kind }) => kind === "gap")).toHaveLength(1);
  // The same lines a second time change nothing.
  expect(withLines(whole, { from: 48, lines: numbered(48, 33), total: 103 }).hunks).toBe(whole.hunks);
});

test("the end of a file is known once lines behind the last hunk were asked for", () => {
  const open = readPatch({ patch: LONG.slice(0, LONG.indexOf("@@ -100")) });
  const more = withLines(open, { from: 48, lines: numbered(48, 20), total: 70 });
  expect(rowsOf(more, UNIFIED).at(-1)).toMatchObject({ kind: "gap", lines: 3 });
  const none = withLines(open, { from: 48, lines: [], total: 47 });
  expect(rowsOf(none, UNIFIED).at(-1)?.kind).toBe("line");
});
