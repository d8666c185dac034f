/** Holds what the comparison computes: which files differ, how patches line up, what is taken. */
import { describe, expect, test } from "bun:test";
import { fileRows } from "../../web/src/features/compare/file-rows.ts";
import { otherMode } from "../../web/src/features/compare/other-mode.ts";
import { alignRows, changeStarts } from "../../web/src/features/compare/panes/aligned-rows.ts";
import { hunksOf } from "../../web/src/features/compare/panes/file-patch.ts";
import { withFile, withHunk } from "../../web/src/features/compare/take/taking.ts";
import { readPatch } from "../../web/src/features/diff/patch/read-patch.ts";
import { ignoringSpace } from "../../web/src/features/diff/patch/rows.ts";

const changed = (...paths: string[]) =>
  paths.map((path) => ({ path, status: "modified", additions: 1, deletions: 0 }));

/** `same` names with whom it left which path the same. */
const column = (letter: string, paths: string[], same: Readonly<Record<string, string>> = {}) => ({
  letter,
  compared: {
    id: letter,
    changed: changed(...paths),
    overlap: Object.entries(same).map(([attempt, path]) => ({
      attempt,
      files: 1,
      identical: 1,
      paths: [{ path, identical: true }],
    })),
  },
});

describe("the grid of files", () => {
  const rows = fileRows([
    column("A", ["both", "one", "same"], { B: "same", C: "same" }),
    column("B", ["both", "same"], { A: "same", C: "same" }),
    column("C", ["same", "far"], { A: "same", B: "same" }),
  ]);
  const row = (path: string) => rows.find((each) => each.path === path);

  test("begins with the files that several attempts left different", () => {
    expect(rows.map(({ path }) => path)).toEqual(["both", "far", "one", "same"]);
  });

  test("joins what neighbours left the same into one cell", () => {
    expect(row("same")).toMatchObject({ isIdentical: true, differs: false });
    expect(row("same")?.cells.map(({ letters }) => letters)).toEqual([["A", "B", "C"]]);
    expect(row("both")?.cells.map(({ letters }) => letters)).toEqual([["A"], ["B"], ["C"]]);
    expect(row("both")?.differs).toBe(true);
  });

  test("names the attempt farther left that left the same", () => {
    const [same] = fileRows([
      column("A", ["same"], { C: "same" }),
      column("B", ["same"]),
      column("C", ["same"], { A: "same" }),
    ]);
    expect(same?.cells.map(({ sameAs }) => sameAs)).toEqual([null, null, "A"]);
  });

  test("tells what is not known from what is not changed", () => {
    const unknown = { letter: "B", compared: { id: "B", changed: null, overlap: [] } };
    const [row] = fileRows([column("A", ["a"]), unknown]);
    expect(row?.cells.map(({ isUnknown }) => isUnknown)).toEqual([false, true]);
  });
});

const readFilePatch = (patch: string) => readPatch({ patch });

const HEAD = "diff --git a/f b/f\n--- a/f\n+++ b/f\n";
const ONE = `${HEAD}@@ -2,3 +2,4 @@ top\n two\n-three\n+drei\n+extra\n four\n`;
const OTHER = `${HEAD}@@ -3,2 +3,2 @@\n three\n-four\n+vier\n@@ -9 +9,2 @@ end\n nine\n+ten\n`;

describe("patches side by side", () => {
  test("are read into hunks with the lines of both sides", () => {
    const hunks = hunksOf(readFilePatch(OTHER), 0);
    expect(hunks.map(({ number, base, section }) => [number, base, section])).toEqual([
      [1, 3, ""],
      [2, 9, "end"],
    ]);
    expect(hunks[1]?.lines.map(({ base, line, text }) => [base, line, text])).toEqual([
      [9, 9, "nine"],
      [null, 10, "ten"],
    ]);
  });

  test("pair a removed line with the one that took its place", () => {
    const [hunk] = hunksOf(readFilePatch(`${HEAD}@@ -1 +1 @@\n-const a = one;\n+const a = two;\n`), 0);
    expect(hunk?.lines.map(({ pair }) => pair)).toEqual(["const a = two;", "const a = one;"]);
  });

  test("line up by the base: what one adds is room in the other, and unchanged lines are filled in", () => {
    const rows = alignRows([readFilePatch(ONE), readFilePatch(OTHER)]);
    const shown = rows.map((row) =>
      row.kind === "head"
        ? `… ${row.skipped}`
        : row.panes.map((line) => (line === null ? "" : `${line.line ?? "-"} ${line.text}`)).join(" | "),
    );
    expect(shown).toEqual([
      "… 1",
      "2 two | 2 two",
      "… 0",
      "- three | 3 three",
      "3 drei | ",
      "4 extra | ",
      "5 four | - four",
      " | 4 vier",
      "… 4",
      "10 nine | 9 nine",
      " | 10 ten",
    ]);
    expect(changeStarts(rows)).toEqual([3, 10]);
  });

  test("of new files line up from their first line", () => {
    const made = (text: string) => readFilePatch(`${HEAD}@@ -0,0 +1,2 @@\n+${text}\n+end\n`);
    const rows = alignRows([made("a"), made("b")]).filter(({ kind }) => kind === "lines");
    expect(rows).toHaveLength(2);
    expect(rows[0]?.panes.map((line) => line !== null && "text" in line && line.text)).toEqual(["a", "b"]);
  });
});

describe("what is taken", () => {
  const at = { attempt: "A", path: "f" };

  test("is a file or some of its hunks, and choosing again leaves it", () => {
    const hunks = withHunk(withHunk([], { ...at, hunk: 3 }), { ...at, hunk: 1 });
    expect(hunks).toEqual([{ ...at, hunks: [1, 3] }]);
    expect(withFile(hunks, at)).toEqual([{ ...at, hunks: null }]);
    expect(withFile(withFile(hunks, at), at)).toEqual([]);
    expect(withHunk(withHunk([], { ...at, hunk: 1 }), { ...at, hunk: 1 })).toEqual([]);
  });
});

test("the other layout of panes is one attempt alone, that of a pair one column; again it is the usual one", () => {
  expect([
    otherMode({}),
    otherMode({ mode: "split" }),
    otherMode({ against: "other" }),
    otherMode({ against: "other", mode: "unified" }),
  ]).toEqual(["split", undefined, "unified", undefined]);
});

test("without white space, a line that is only indented is no change of its pane", () => {
  const patch = readPatch({
    patch: [
      "diff --git a/a.ts b/a.ts",
      "--- a/a.ts",
      "+++ b/a.ts",
      "@@ -1,3 +1,3 @@",
      " one",
      "-two",
      "-three",
      "+  two",
      "+drei",
      "",
    ].join("\n"),
  });
  const kinds = hunksOf(ignoringSpace(patch), 0)[0]?.lines.map(({ kind, text }) => `${kind} ${text}`);
  expect(kinds).toEqual(["context one", "context   two", "removed three", "added drei"]);
});
