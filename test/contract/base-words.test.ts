import { expect, test } from "bun:test";
import { baseWords, ownBase } from "../../src/contract/words/base-words.ts";

const sha = "d1293220000000000000000000000000000000ff";
const words = (name: string, ahead: number | null, behind: number | null, more: object = {}) =>
  baseWords(attempt(name, ahead, behind, more), "now");
const attempt = (name: string, ahead: number | null, behind: number | null, more: object = {}) => ({
  base: { branch: "main", sha },
  started_from: { name, from_worktree: false, ahead, behind, ...more },
});

test("the base names its commit once and says how the checkout differs from it", () => {
  expect(words("origin/main", 2, 0)).toBe("origin/main d129322; your checkout is 2 commits ahead");
  expect(words("origin/main", 0, 1)).toBe("origin/main d129322; your checkout is 1 commit behind");
  expect(words("main", 3, 1)).toBe("main d129322; your checkout is 3 commits ahead and 1 behind");
  expect(words("v1", 0, 0)).toBe("v1 d129322; your checkout is at the same commit");
  expect(words("d1293220", null, null)).toBe("d129322");
  expect(words("main", 0, 0, { from_worktree: true })).toBe(
    "main d129322, with what is not committed in your checkout",
  );
});

test("later it says how the checkout differed then", () => {
  expect(baseWords(attempt("v1", 0, 0), "then")).toBe(
    "v1 d129322; your checkout was at the same commit then",
  );
  expect(baseWords(attempt("v1", 2, 0), "then")).toBe("v1 d129322; your checkout was 2 commits ahead then");
});

test("an attempt without a base says nothing of it, and one of an earlier version what it knows", () => {
  expect(baseWords({ base: { branch: null, sha: null }, started_from: null }, "now")).toBeNull();
  expect(baseWords({ base: { branch: "main", sha }, started_from: null }, "now")).toBe("main d129322");
});

test("a base that is not its task's is told, however the task names its own", () => {
  const sha = "d1293220".padEnd(40, "0");
  const own = (base: string | null, name: string) =>
    ownBase({ base }, { started_from: { name, from_worktree: false, ahead: null, behind: null } });
  expect([own("later", "origin/main"), own("main", "origin/main2")]).toEqual(["origin/main", "origin/main2"]);
  const same = [
    own("main", "origin/main"),
    own("refs/heads/main", "main"),
    own("d129322", sha),
    own(null, "x"),
  ];
  expect(same).toEqual([null, null, null, null]);
});
