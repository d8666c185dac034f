import { expect, test } from "bun:test";
import { type Failure, type FailureCode, failure } from "../../../src/domain/run/failure.ts";
import { conflictStands, mergeDecided, resolvesConflicts } from "../../../src/domain/run/resolving.ts";
import type { Run } from "../../../src/domain/run/run.ts";

const ended = (
  outcome: Run["outcome"],
  code: FailureCode | null = null,
): { outcome: Run["outcome"]; failure: Failure | null } => ({
  outcome,
  failure: code === null ? null : failure(code, "It failed"),
});

test("a conflict stands until something was pushed, whatever ended between", () => {
  const conflict = ended(null, "conflict");
  expect([
    conflictStands([]),
    conflictStands([conflict]),
    conflictStands([conflict, ended("no_changes"), ended(null, "agent_failed"), ended(null)]),
    conflictStands([conflict, ended("pushed")]),
    conflictStands([ended("pushed"), conflict]),
    conflictStands([ended("pushed"), ended(null, "push_rejected")]),
  ]).toEqual([false, true, true, false, true, false]);
});

test("the agent gets a conflict if a run asks for it or follows one; a person's own edits never do", () => {
  const conflict = [ended(null, "conflict")];
  expect([
    resolvesConflicts({ kind: "agent", options: {} }, []),
    resolvesConflicts({ kind: "agent", options: { resolve: "first" } }, []),
    resolvesConflicts({ kind: "agent", options: { resolve: "only" } }, []),
    resolvesConflicts({ kind: "agent", options: {} }, conflict),
    resolvesConflicts({ kind: "commit", options: {} }, conflict),
    resolvesConflicts({ kind: "publish", options: {} }, conflict),
  ]).toEqual([false, true, true, true, false, false]);
});

test("what a merge took of files without markers is one sentence; nothing if there were none", () => {
  const tree: Readonly<Record<string, string>> = { kept: "o", taken: "t", edited: "e" };
  const whole = ["kept", "taken", "edited", "gone"].map((path) => ({ path, ours: "o", theirs: "t" }));
  expect(mergeDecided(whole, (path) => tree[path] ?? null)).toBe(
    "The merge was concluded with kept as this branch has it; taken as they have it; edited as it was edited; gone deleted.",
  );
  expect(mergeDecided([], () => null)).toBeNull();
  const many = Array.from({ length: 12 }, (_, index) => ({ path: `f${index}`, ours: "o", theirs: null }));
  expect(mergeDecided(many, () => "o")).toEndWith("f8, f9 and 2 more as this branch has it.");
});
