import { describe, expect, test } from "bun:test";
import { wasUsed } from "../../../src/domain/gate/was-used.ts";
import {
  type Allowance,
  allowable,
  standingOf,
  withAllowances,
} from "../../../src/domain/publish/allowance.ts";
import type { GateFinding } from "../../../src/domain/publish/gate-finding.ts";

const found: GateFinding = {
  rule: "credential",
  level: "reject",
  path: "a.txt",
  line: 3,
  message: "a.txt:3 holds a credential",
  remedy: "Take it out.",
  blob: "b1",
};
const allowing = (...findings: GateFinding[]): Allowance => ({
  by: "Ada <ada@example.org>",
  reason: "A test key",
  findings: findings.flatMap((finding) => allowable(finding) ?? []),
  checks: [],
});
const judged = (finding: GateFinding, own: Allowance | null, ...earlier: Allowance[]) =>
  withAllowances({ leftOut: [], findings: [finding], rejected: true }, { own, earlier });

describe("what was allowed", () => {
  test("is a report that says by whom and why, in this run and in later ones", () => {
    const report = {
      ...found,
      level: "report",
      allowed: { by: "Ada <ada@example.org>", reason: "A test key" },
    };
    expect<unknown>(judged(found, allowing(found))).toEqual({
      leftOut: [],
      findings: [report],
      rejected: false,
    });
    expect<unknown>(judged(found, null, allowing(found)).findings).toEqual([report]);
  });

  test.each([
    ["another content", { blob: "b2" }],
    ["another line", { line: 4 }],
    ["another path", { path: "b.txt" }],
    ["another rule", { rule: "conflict_marker" as const }],
  ])("does not cover %s", (_, other) => {
    const next = { ...found, ...other };
    expect(judged(next, allowing(found), allowing(found))).toEqual({
      leftOut: [],
      findings: [next],
      rejected: true,
    });
  });

  test("cannot be a final finding, nor one without content, except a submodule's changes and one run", () => {
    const { blob: _, ...without } = found;
    expect([allowable({ ...found, final: true }), allowable(without)]).toEqual([null, null]);
    const submodule = { ...without, rule: "dirty_submodule" as const };
    expect(judged(submodule, allowing(submodule)).rejected).toBe(false);
    expect(judged(submodule, null, allowing(submodule)).rejected).toBe(true);
  });

  test("stands without what was taken back, and is used once a commit or a push came of it", () => {
    const both = { ...allowing(found), checks: ["tests"] };
    const at = "2026-01-01T00:00:00.000Z";
    const back = (name: string) => ({ ...both, takenBack: [{ name, by: null, at }] });
    expect(standingOf(back("credential"))).toMatchObject({ findings: [], checks: ["tests"] });
    expect(standingOf({ ...back("check:tests"), findings: [] })).toBeNull();
    const ended = (commit: string | null, outcome: string | null, ...codes: string[]) => ({
      commit,
      outcome,
      notes: codes.map((code) => ({ code })),
    });
    const used = (...since: ReturnType<typeof ended>[]) =>
      ["credential", "check:tests"].map((name) => wasUsed(name, since, false));
    expect([
      used(ended(null, null)),
      used(ended("c1", "committed")),
      used(ended("c1", "committed", "commit_undone")),
      used(ended(null, "pushed")),
      wasUsed("credential", [], true),
    ]).toEqual([[false, false], [true, false], [false, false], [false, true], true]);
  });
});
