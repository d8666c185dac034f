/** Holds the board's table (design: states, shapes, columns): each row of facts has its sign, family and column. */
import { describe, expect, test } from "bun:test";
import { showListedTask } from "../../src/api/documents/show-task.ts";
import type { PullRequestSummary } from "../../src/contract/pull-request-document.ts";
import type { ListedTask } from "../../src/contract/task-document.ts";
import { presentCard } from "../../src/contract/words/present-card.ts";
import type { Attempt } from "../../src/domain/attempt/attempt.ts";
import { failure } from "../../src/domain/run/failure.ts";
import { waitingFor } from "../../src/domain/run/waiting.ts";
import type { RunView } from "../../src/services/core/answer-shapes.ts";
import { A_QUESTION, anAttempt, aRepository, aRun, aTask, PUSHED } from "../helpers/sample-documents.ts";

const NOW = Date.parse("2026-01-02T03:05:00.000Z");

type Given = Partial<RunView>;

/** A task of which each attempt has one run. */
function taskOf(runs: readonly Given[], attempts: readonly Partial<Attempt>[] = []): ListedTask {
  return showListedTask({
    task: aTask(),
    repository: aRepository(),
    attempts: runs.map((run, index) => {
      const id = `attempt-${index + 1}`;
      return {
        attempt: anAttempt({ id, number: index + 1, ...attempts[index] }),
        runs: [aRun({ id: `run-${index + 1}`, attemptId: id, ...run })],
      };
    }),
  });
}

function cardOf(task: ListedTask, index = 0) {
  const attempt = task.attempts[index];
  if (attempt === undefined) throw new Error("no such attempt");
  return presentCard(attempt, task, NOW);
}

const row = (task: ListedTask, index = 0) => {
  const { sign, family, code, column } = cardOf(task, index);
  return `${sign} ${family} ${code} ${column}`;
};

const failed = (code: Parameters<typeof failure>[0]): Given => ({
  status: "FAILED",
  phase: null,
  failure: failure(code, "It failed."),
});

describe("the board", () => {
  test.each<readonly [string, Given]>([
    ["ring-dashed queue waits_parallel queued", { waitsFor: waitingFor("parallel", { limit: 8 }) }],
    ["ring-dashed queue waits_worker_silent queued", { waitsFor: waitingFor("worker_silent") }],
    ["ring-quarter work preparing working", { phase: "preparing" }],
    ["ring-dot work running working", { status: "RUNNING", phase: "agent" }],
    [
      "ring-question needs silent needs",
      {
        status: "RUNNING",
        phase: "agent",
        startedAt: "2026-01-02T03:00:00.000Z",
        lastAction: { at: "2026-01-02T03:01:00.000Z", text: "Read a file" },
      },
    ],
    ["ring-half work proving working", { status: "STAGING", phase: "proving" }],
    ["ring-half work staging working", { status: "STAGING", phase: "staging" }],
    ["ring-tick work checking working", { status: "STAGING", phase: "checking" }],
    ["node work committing working", { status: "COMMITTING", phase: null }],
    ["ring-arrow work pushing working", { status: "PUSHING", phase: null }],
    ["diamond-bang needs asks_leave needs", { status: "RUNNING", phase: "waiting", question: A_QUESTION }],
    [
      "diamond-question needs asks_words needs",
      { status: "RUNNING", phase: "waiting", question: { ...A_QUESTION, source: "person" } },
    ],
    [
      "diamond-clock work rate_limited queued",
      { status: "RUNNING", phase: "waiting", resumeAt: "2026-01-02T15:30:00.000Z" },
    ],
    ["ring-stroke needs held needs", { held: true }],
    ["square-cross fail failed_gate_rejected needs", failed("gate_rejected")],
    ["square-cross fail failed_check_failed needs", failed("check_failed")],
    ["square-cross fail failed_conflict needs", failed("conflict")],
    ["square-cross fail failed_auth_required needs", failed("auth_required")],
    ["speech review pushed review", PUSHED],
    ["speech review committed review", { ...PUSHED, outcome: "committed" }],
    ["ring-equals queue no_changes review", { ...PUSHED, outcome: "no_changes", commit: null }],
    ["ring-stroke queue stopped review", { status: "CANCELED", phase: null }],
  ])("%s", (expected, run) => {
    expect(row(taskOf([run]))).toBe(expected);
  });

  test("an attempt that is over is done", () => {
    const merged = { at: "2026-01-02T04:00:00.000Z", commit: "m", tip: PUSHED.commit ?? "", target: "main" };
    const over: readonly Partial<Attempt>[] = [
      { merged: { ...merged, before: null, by: "tazuna" } },
      { state: "canceled" },
      { state: "removed" },
    ];
    expect(over.map((attempt) => row(taskOf([PUSHED], [attempt])))).toEqual([
      "ring-tick queue merged done",
      "ring-stroke queue canceled done",
      "ring-stroke queue removed done",
    ]);
  });

  test("one that failed stays with its siblings if one of them succeeded", () => {
    const task = taskOf([PUSHED, failed("agent_failed")]);
    expect(row(task, 1)).toBe("square-cross fail failed_agent_failed review");
    expect(row(taskOf([failed("agent_failed"), failed("agent_failed")]), 1)).toBe(
      "square-cross fail failed_agent_failed needs",
    );
  });

  test("the chosen one is ready, and the others are done until something happens in them", () => {
    const task = taskOf([PUSHED, PUSHED, failed("agent_failed"), { status: "RUNNING", phase: "agent" }]);
    const decision = { id: "d", attempt: "attempt-1", at: "2026-01-02T09:00:00.000Z" };
    const decided = {
      ...task,
      decision: { ...decision } as unknown as ListedTask["decision"],
      attempts: task.attempts.map((attempt, index) => ({ ...attempt, chosen: index === 0 })),
    };
    expect([0, 1, 2, 3].map((index) => row(decided, index))).toEqual([
      "disc-tick ready pushed ready",
      "ring-stroke queue not_chosen done",
      "ring-stroke queue not_chosen done",
      "ring-dot work running working",
    ]);
    const since = { ...decided, decision: { ...decision, at: "2026-01-01T00:00:00.000Z" } };
    expect(row(since as unknown as ListedTask, 1)).toBe("speech review pushed review");
  });

  test("the forge moves it: red asks for a person, pending waits, green may be merged", () => {
    const pull: PullRequestSummary = {
      ...{ number: 7, url: null, state: "open", head: "b", base: "main", draft: false, title: "T" },
      ...{ head_commit: null, mergeable: true, merge_block: null, failed_checks: [], pending_checks: [] },
      ...{ open_threads: [], waits: false, tried: [], trouble: null },
    };
    const thread = { id: "t", path: null, line: null, url: "", author: null, words: "" };
    const kinds: readonly Partial<PullRequestSummary>[] = [
      {},
      { pending_checks: ["test"] },
      { failed_checks: ["test"] },
      { mergeable: false },
      { open_threads: [thread] },
      { state: "closed" },
    ];
    const task = taskOf([PUSHED]);
    const rows = kinds.map((kind) =>
      row({
        ...task,
        attempts: task.attempts.map((attempt) => ({ ...attempt, pull_request: { ...pull, ...kind } })),
      }),
    );
    expect(rows).toEqual([
      "disc-arrow ready pr_green ready",
      "disc-tick ready pr_pending ready",
      "square-cross fail pr_checks_failed needs",
      "square-cross fail pr_conflict needs",
      "square-cross fail pr_threads needs",
      "speech review pushed review",
    ]);
  });
});
