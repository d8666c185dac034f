import { describe, expect, test } from "bun:test";
import {
  type GateFacts,
  type GatePolicy,
  judgeStaged,
  type StagedPath,
} from "../../../src/domain/publish/gate.ts";

const added = (path: string, more: Partial<StagedPath> = {}): StagedPath => ({
  path,
  change: "added",
  inHead: false,
  mode: "100644",
  bytes: 10,
  sha: null,
  ...more,
});
const facts = (more: Partial<GateFacts>): GateFacts => ({
  setAside: new Set(),
  staged: [],
  nestedRepositories: [],
  closedFolders: [],
  submodules: [],
  copiedIn: new Set(),
  leftByChecks: new Map(),
  setup: { untouched: new Set<string>(), changed: new Set<string>() },
  inContent: [],
  ...more,
});
const policy: GatePolicy = { isDenied: (path) => path.endsWith(".env"), maxFileBytes: 1024, levels: {} };
const rules = (judgement: ReturnType<typeof judgeStaged>) =>
  judgement.findings.map(({ rule, level, path }) => [rule, level, path]);

describe("the publish gate", () => {
  test("what a person leaves out stays out, whatever it is, and nothing of it stops the commit", () => {
    const staged = [
      added("a.ts"),
      added("nested"),
      { ...added("old.ts"), change: "modified" as const, inHead: true },
    ];
    const verdict = judgeStaged(
      facts({
        staged,
        setAside: new Set(["nested", "old.ts", "module"]),
        nestedRepositories: ["nested"],
        submodules: [{ path: "module", why: "dirty" }],
      }),
      policy,
    );
    expect(verdict).toMatchObject({ leftOut: ["nested", "old.ts"], rejected: false });
    expect(rules(verdict)).toEqual([
      ["left_out", "report", "nested"],
      ["left_out", "report", "old.ts"],
    ]);
  });

  test("seed 003 AgentConstraints: an untracked forbidden path is left out of the commit and reported", () => {
    const verdict = judgeStaged(facts({ staged: [added("a.ts"), added("x/.env")] }), policy);
    expect(verdict).toMatchObject({ leftOut: ["x/.env"], rejected: false });
    expect(rules(verdict)).toEqual([["left_out", "report", "x/.env"]]);
  });

  test("seed 003 AgentConstraints: a tracked forbidden path that changed rejects the commit (departs: only new and changed ones are judged)", () => {
    const verdict = judgeStaged(
      facts({ staged: [added(".env", { change: "modified", inHead: true })] }),
      policy,
    );
    expect(verdict).toMatchObject({ leftOut: [], rejected: true });
    expect(rules(verdict)).toEqual([["denied_path", "reject", ".env"]]);
  });

  test("removing a denied path is never held back", () => {
    const gone = added(".env", { change: "deleted", inHead: true, mode: "000000", bytes: null });
    expect(judgeStaged(facts({ staged: [gone] }), policy)).toEqual({
      leftOut: [],
      findings: [],
      rejected: false,
    });
  });

  test("what a killed tool left half-written is left out, and names that only look like it are not", () => {
    const half = "src/.index.ts.0a1b2c3d-4e5f.tmp";
    const others = ["src/index.tmp", ".x.0a1b2c3d.tmp", "x.0a1b2c3d-4e5f.tmp", ".x.0a1b2c3d-4e5f.tmp/y"];
    const verdict = judgeStaged(facts({ staged: [half, ...others].map((path) => added(path)) }), policy);
    expect(verdict).toMatchObject({ leftOut: [half], rejected: false });
    expect(verdict.findings[0]?.message).toContain("a tool that was killed");
    const tracked = added(half, { change: "modified", inHead: true });
    expect(judgeStaged(facts({ staged: [tracked] }), policy).leftOut).toEqual([]);
  });

  test("files that were copied in are left out", () => {
    const verdict = judgeStaged(
      facts({ staged: [added("local.json")], copiedIn: new Set(["local.json"]) }),
      policy,
    );
    expect(verdict.leftOut).toEqual(["local.json"]);
  });

  test("files that a check left are left out and reported, new, changed or gone, also those that would reject", () => {
    const verdict = judgeStaged(
      facts({
        staged: [
          added("report.txt"),
          added("counter.txt", { change: "modified", inHead: true }),
          added("gone.txt", { change: "deleted", inHead: true, mode: "000000", bytes: null }),
          added(".env", { change: "modified", inHead: true }),
          added("big", { bytes: 2048 }),
          added("lib", { mode: "160000", bytes: null }),
          added("mine.txt"),
        ],
        nestedRepositories: ["lib"],
        leftByChecks: new Map(
          ["report.txt", "counter.txt", "gone.txt", ".env", "big", "lib"].map((path) => [path, "test"]),
        ),
      }),
      policy,
    );
    expect([verdict.leftOut, verdict.rejected]).toEqual([
      ["report.txt", "counter.txt", "gone.txt", ".env", "big", "lib"],
      false,
    ]);
    expect(rules(verdict)).toEqual(verdict.leftOut.map((path) => ["left_by_check", "report", path]));
    expect(verdict.findings[0]?.message).toBe("report.txt is as the check test left it and is not committed");
  });

  test("large files, nested repositories and dirty submodules reject", () => {
    const verdict = judgeStaged(
      facts({
        staged: [added("big", { bytes: 2048 })],
        nestedRepositories: ["lib"],
        submodules: [{ path: "sub", why: "dirty" }],
      }),
      policy,
    );
    expect(rules(verdict)).toEqual([
      ["file_too_large", "reject", "big"],
      ["nested_repository", "reject", "lib"],
      ["dirty_submodule", "reject", "sub"],
    ]);
  });

  test("a rule can be only reported or switched off; what is left out stays left out", () => {
    const staged = [added("big", { bytes: 2048 }), added(".env")];
    const reported = judgeStaged(facts({ staged }), { ...policy, levels: { file_too_large: "report" } });
    expect(reported.rejected).toBe(false);
    const off = judgeStaged(facts({ staged }), {
      ...policy,
      levels: { file_too_large: "off", left_out: "off" },
    });
    expect(off).toEqual({ leftOut: [".env"], findings: [], rejected: false });
  });
});
