import { describe, expect, test } from "bun:test";
import { combine, filesAsFolders } from "../../../src/domain/compose/combine.ts";
import { applyHunks, readHunks } from "../../../src/domain/compose/hunks.ts";
import {
  asGitPath,
  type FileChange,
  isNamedBy,
  pathChanges,
} from "../../../src/domain/compose/taken-changes.ts";

const NONE = "0".repeat(40);

const change = (more: Partial<FileChange>): FileChange => ({
  path: "src/a.ts",
  previousPath: null,
  status: "modified",
  previousMode: "100644",
  mode: "100644",
  previousSha: "a".repeat(40),
  sha: "b".repeat(40),
  ...more,
});

describe("a path that is taken", () => {
  test.each([
    ["src/a.ts", "src/a.ts"],
    ["./src//a.ts/", "src/a.ts"],
    [".", "."],
    ["./", "."],
    ["a:b\nc", "a:b\nc"],
    [" .. ", " .. "],
  ])("%j is %j for git", (given, path) => {
    expect(asGitPath(given)).toBe(path);
  });

  test.each(["", "/etc/passwd", "..", "src/../../x", "src/..", "a\0b"])("%j is refused", (given) => {
    expect(asGitPath(given)).toBeNull();
  });

  test("names a file, what lies in a folder, or everything, and never the beginning of a name", () => {
    const named = ["src/a.ts", "src", ".", "src/a", "sr", "src/a.ts/b", "b"];
    expect(named.map((path) => isNamedBy(change({}), path))).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });

  test("a rename is one change under both of its names, a copy under its new one", () => {
    const renamed = change({ path: "lib/b.ts", previousPath: "src/a.ts", status: "renamed" });
    expect(["src", "lib", "src/a.ts", "lib/b.ts"].every((path) => isNamedBy(renamed, path))).toBe(true);
    expect(pathChanges(renamed).map(({ path, after }) => [path, after?.sha ?? null])).toEqual([
      ["src/a.ts", null],
      ["lib/b.ts", "b".repeat(40)],
    ]);
    const copied = { ...renamed, status: "copied" };
    expect([isNamedBy(copied, "src"), pathChanges(copied).map(({ path }) => path)]).toEqual([
      false,
      ["lib/b.ts"],
    ]);
  });

  test("a deletion leaves nothing, an addition begins with nothing", () => {
    const deleted = change({ status: "deleted", mode: "000000", sha: NONE });
    const added = change({ status: "added", previousMode: "000000", previousSha: NONE });
    expect(
      [...pathChanges(deleted), ...pathChanges(added)].map(({ before, after }) => [before, after]),
    ).toEqual([
      [{ mode: "100644", sha: "a".repeat(40) }, null],
      [null, { mode: "100644", sha: "b".repeat(40) }],
    ]);
  });
});

describe("changes of several attempts", () => {
  const at = (path: string, sha: string | null) => ({
    path,
    before: null,
    after: sha === null ? null : { mode: "100644", sha },
  });

  test("agree if they are alike, and are contested if they are not", () => {
    const { agreed, contested } = combine([
      [at("a", "1"), at("both", "2"), at("gone", null)],
      [at("b", "3"), at("both", "2"), at("gone", "4")],
    ]);
    expect([agreed.map(({ path }) => path).toSorted(), contested]).toEqual([["a", "b", "both"], ["gone"]]);
  });

  test("cannot have a file in the place of a folder, unless the file goes", () => {
    expect(filesAsFolders([at("a", "1"), at("a/b/c", "2"), at("ab/c", "3")])).toEqual(["a"]);
    expect(filesAsFolders([at("a", null), at("a/b/c", "2")])).toEqual([]);
  });
});

describe("hunks", () => {
  test("are read from headers alone, whatever the lines hold", () => {
    const patch =
      "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@ function f() {\n-x\r@@ -9 +9 @@\n+\u2028@@ -8 +8 @@\n y\n@@ -7,0 +8 @@\n+z\n";
    expect(readHunks(patch)).toEqual([
      { oldStart: 1, oldLines: 2, newStart: 1, newLines: 2 },
      { oldStart: 7, oldLines: 0, newStart: 8, newLines: 1 },
    ]);
  });

  test("an empty range is after the line that it names", () => {
    const bytes = (text: string) => new TextEncoder().encode(text);
    const inserted = { oldStart: 1, oldLines: 0, newStart: 2, newLines: 1 };
    expect(new TextDecoder().decode(applyHunks(bytes("a\nb"), bytes("a\nx\nb"), [inserted]))).toBe("a\nx\nb");
    const all = { oldStart: 0, oldLines: 0, newStart: 1, newLines: 1 };
    expect(new TextDecoder().decode(applyHunks(bytes(""), bytes("x"), [all]))).toBe("x");
  });
});
