import { describe, expect, test } from "bun:test";
import { type Allowance, allowable, withAllowances } from "../../../src/domain/publish/allowance.ts";
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
});
