import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseBranch } from "../../../../src/tools/git/git_status_summary/parse_branch.ts";

describe("seed 000 §8: the branch out of the first ## line", () => {
  const rows: readonly (readonly [what: string, raw: string, branch: string | null])[] = [
    ["a branch alone", "## main\n", "main"],
    ["with an upstream", "## main...origin/main\n", "main"],
    ["ahead and behind", "## main...origin/main [ahead 1, behind 2]\n M a\n", "main"],
    ["an upstream that is gone", "## main...origin/main [gone]\n", "main"],
    ["names with slashes, dots and brackets", "## fix/a.b-[x]...up/fix/a.b\n", "fix/a.b-[x]"],
    ["names beyond ASCII", "## 機能/手綱\n", "機能/手綱"],
    ["no commits yet", "## No commits yet on main\n", "main"],
    ["no commits yet, in the words of old versions", "## Initial commit on main\n", "main"],
    ["no commits yet, with an upstream", "## No commits yet on main...origin/main [gone]\n", "main"],
    ["without a line end", "## main", "main"],
    ["Windows line ends", "## main\r\n M a\r\n", "main"],
  ];
  for (const [what, raw, branch] of rows)
    test(`seed 000 §3.1, §8 and §11: the branch is taken from the first ## line: ${what}`, () =>
      expect(parseBranch(raw)).toBe(branch));

  test("seed 000 §3.1 and §8: on a detached HEAD the first ## line gives null", () => {
    expect(parseBranch("## HEAD (no branch)\n?? a\n")).toBeNull();
  });

  test("seed 000 §3.2, §5 and §8: without a readable ## line the branch is null", () => {
    for (const raw of ["", "\n", " M a\n## main\n", "##\n", "## \n", "##main\n", "fatal: no\n"])
      expect(parseBranch(raw)).toBeNull();
  });

  test("seed 000 §5 and §7: only the first line is looked at for the branch", () => {
    expect(parseBranch("## one\n## two\n")).toBe("one");
    fc.assert(
      fc.property(fc.string(), (rest) => {
        expect(parseBranch(`## main...origin/main\n${rest}`)).toBe("main");
      }),
    );
  });

  test("whatever git could print, it answers a name or null and never throws", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (raw) => {
        const branch = parseBranch(raw);
        expect(branch === null || (branch !== "" && !branch.includes("\n"))).toBe(true);
      }),
    );
  });
});
