/** Holds what the diff view makes of a patch: lines that are safe to show, rows, marks, and cuts. */
import { expect, test } from "bun:test";
import { alignIgnoringSpace } from "../../web/src/features/diff/patch/align.ts";
import { cutPatch } from "../../web/src/features/diff/patch/cut-patch.ts";
import { heldBack } from "../../web/src/features/diff/patch/file-kind.ts";
import { linesBetween, rowOf } from "../../web/src/features/diff/patch/line-of.ts";
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
  const file = { path: "a.ts", status: "modified", additions: 1, deletions: 1 };
  expect(heldBack(file)).toBeNull();
  expect(heldBack({ ...file, additions: null, deletions: null })).toBe("binary");
  expect(heldBack({ ...file, path: "web/package-lock.json" })).toBe("lockfile");
  expect(heldBack({ ...file, additions: 8_214 })).toBe("big");
});
