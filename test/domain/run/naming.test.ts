import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { freeBranchName, isBranchName, isNamedByUs } from "../../../src/domain/repository/branch-names.ts";
import {
  branchName,
  firstLine,
  slugOf,
  titleOf,
  worktreeName,
} from "../../../src/domain/repository/naming.ts";

const runId = "5f3c9a2e-1111-4222-8333-444455556666";

describe("seed 003, phase 1: names", () => {
  test("seed 003 Phase 1: the branch is `tazuna/` and the first eight characters of the run's id (departs: of the attempt's first run)", () => {
    expect(branchName("tazuna/{id8}", { runId, title: "x" })).toBe("tazuna/5f3c9a2e");
  });

  test("seed 003 Phase 1 and Folders: the worktree is `run_` and the run's id (departs: of the attempt's first run)", () => {
    expect(worktreeName(runId)).toBe(`run_${runId}`);
  });

  test("{slug} is the title in ASCII words, and the id if the title has none", () => {
    expect(branchName("ai/{slug}", { runId, title: "Add: the Élan login!" })).toBe("ai/add-the-elan-login");
    expect(branchName("ai/{slug}", { runId, title: "挨拶を名前で" })).toBe("ai/5f3c9a2e");
  });

  test("seed 003 Phase 1: the branch has the run's name (departs: a taken name gets a suffix)", () => {
    expect(freeBranchName("tazuna/a", new Set())).toBe("tazuna/a");
    expect(freeBranchName("tazuna/a", new Set(["tazuna/a", "tazuna/a-2"]))).toBe("tazuna/a-3");
    expect(freeBranchName("fix", new Set(["Fix/one", "fix-2/a/b"]))).toBe("fix-3");
  });

  test("whatever the title, the branch is one that git accepts", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (title) => {
        expect(isBranchName(branchName("tazuna/{slug}-{id8}", { runId, title }))).toBe(true);
        expect(slugOf(title)).toMatch(/^[a-z0-9-]{0,40}$/);
      }),
    );
  });

  test("names that git refuses are known", () => {
    const refused = [
      "",
      "-x",
      "a b",
      "a..b",
      "a~1",
      "a^",
      "a:b",
      "a?",
      "a*",
      "a[",
      "a\\b",
      "/a",
      "a/",
      "a//b",
      "a.",
      ".a",
      "a/.b",
      "a.lock",
      "a.lock/b",
      "@",
      "a@{b",
      "HEAD",
      "a\u0001",
    ];
    expect(refused.filter(isBranchName)).toEqual([]);
    expect(["main", "feature/x", "tazuna/5f3c9a2e", "日本語"].filter((ok) => !isBranchName(ok))).toEqual([]);
  });
});

test("a branch is named by us below `tazuna/` and below the folder of the template", () => {
  expect(isNamedByUs("tazuna/5f3c9a2e", "{slug}")).toBe(true);
  expect(isNamedByUs("agents/fix-login", "agents/{slug}")).toBe(true);
  expect(isNamedByUs("bots/ai/x", "bots/ai/run-{id8}")).toBe(true);
  expect(isNamedByUs("bots/x", "bots/ai/run-{id8}")).toBe(false);
  for (const template of ["tazuna/{id8}", "{slug}", "run-{id8}", "fixed/name"])
    expect(isNamedByUs("main", template)).toBe(false);
});

describe("titles", () => {
  test("a title is the first line that says something, without Markdown marks", () => {
    expect(firstLine("\n\n## **Greet** people\nmore")).toBe("Greet people");
    expect(firstLine("---\n- [ ] do it")).toBe("[ ] do it");
    expect(titleOf("x".repeat(200))).toHaveLength(80);
  });
});
