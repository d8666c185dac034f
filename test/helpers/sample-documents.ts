/** Makes tasks, attempts, runs, repositories and workers to test the doors with; every field can be given. */
import type { Attempt } from "../../src/domain/attempt/attempt.ts";
import type { Repository } from "../../src/domain/repository/repository.ts";
import type { Task } from "../../src/domain/task/task.ts";
import type { RunView } from "../../src/services/core/answer-shapes.ts";
import type { ListedWorker } from "../../src/services/core/screen-shapes.ts";

const AT = "2026-01-02T03:04:05.000Z";

export function aRepository(more: Partial<Repository> = {}): Repository {
  return {
    id: "repo-1",
    name: "shop",
    path: "/home/me/shop",
    commonDir: "/home/me/shop/.git",
    bare: false,
    url: null,
    address: null,
    createdAt: AT,
    ...more,
  };
}

export function aTask(more: Partial<Task> = {}): Task {
  return {
    id: "task-1",
    repositoryId: "repo-1",
    title: "Fix the bug",
    issue: "Fix the bug.",
    context: null,
    constraints: null,
    base: null,
    onLabels: [],
    publish: "push",
    settings: {},
    createdAt: AT,
    ...more,
  };
}

export function anAttempt(more: Partial<Attempt> = {}): Attempt {
  return {
    id: "attempt-1",
    taskId: "task-1",
    number: 1,
    agent: "claude-code",
    executor: "claude-code",
    model: null,
    branch: "tazuna/0a1b2c3d",
    branchExisted: false,
    worktree: "/data/worktrees/run_1",
    gitDir: null,
    base: { branch: "main", sha: "b".repeat(40) },
    startedFrom: null,
    origin: null,
    session: null,
    usageTotals: null,
    patch: null,
    state: "open",
    merged: null,
    cleanUp: null,
    createdAt: AT,
    endedAt: null,
    ...more,
  };
}

export function aRun(more: Partial<RunView> = {}): RunView {
  return {
    id: "run-1",
    attemptId: "attempt-1",
    number: 1,
    phaseSince: null,
    kind: "agent",
    instruction: "Fix the bug.",
    position: null,
    status: "PENDING",
    phase: "queued",
    outcome: null,
    failure: null,
    stopRequest: null,
    startSha: null,
    tree: null,
    commit: null,
    summary: null,
    usage: null,
    patch: null,
    isolation: null,
    isolationReason: null,
    notes: [],
    offline: false,
    held: false,
    options: {},
    resumeAt: null,
    createdAt: AT,
    startedAt: AT,
    agentStartedAt: null,
    endedAt: null,
    lease: null,
    patchPath: null,
    lastAction: null,
    waitsFor: null,
    question: null,
    checks: [],
    ...more,
  };
}

/** What a check of a run came to. */
export function aCheck(more: Partial<RunView["checks"][number]> = {}): RunView["checks"][number] {
  return {
    runId: "run-1",
    name: "test",
    tree: "t".repeat(40),
    command: "bun test",
    required: true,
    outcome: "passed",
    exitCode: 0,
    durationMs: 1200,
    output: "the end\n",
    leftBehind: [],
    at: AT,
    ...more,
  };
}

/** The patch of an attempt whose only run is `PUSHED`. */
export const PUSHED_PATCH = {
  from: "b".repeat(40),
  to: "c".repeat(40),
  tip: "c".repeat(40),
  files: 1,
  additions: 3,
  deletions: 1,
};

/** What a run looks like once it was pushed. */
export const PUSHED: Partial<RunView> = {
  status: "SUCCEEDED",
  phase: null,
  outcome: "pushed",
  commit: "c".repeat(40),
  summary: "Fixed it.",
  patch: { files: 1, additions: 3, deletions: 1 },
  patchPath: "/data/runs/run-1/patch.diff",
  usage: {
    inputTokens: 1200,
    cachedInputTokens: 200,
    outputTokens: 80,
    costUsd: 0.0123,
    costEstimated: false,
  },
  isolation: "guard",
  isolationReason: null,
  endedAt: "2026-01-02T03:05:05.000Z",
};

/** What an agent asks a person, as a run shows it. */
export const A_QUESTION: NonNullable<RunView["question"]> = {
  id: "question-1",
  runId: "run-1",
  attemptId: "attempt-1",
  start: 1,
  key: "1",
  source: "permission",
  words: "npm install",
  command: "npm install",
  folder: "/worktree",
  touches: [],
  rule: "`npm install` reaches the network.",
  options: [],
  hash: "a".repeat(64),
  askedAt: AT,
  answer: null,
  closed: null,
  closedAt: null,
  parkedAt: null,
  deliveredAt: null,
  repeats: null,
  expect: "a".repeat(64),
  always: { whole: "npm install", prefix: null },
};

/** One that works on the same Postgres as the one that answers. */
export function aWorker(more: Partial<ListedWorker> = {}): ListedWorker {
  return {
    id: "worker-1",
    name: "ci-2",
    state: "ready",
    version: "1.2.3",
    slots: { used: 2, limit: 4 },
    agents: ["claude-code"],
    labels: [],
    pinned: 1,
    drain: null,
    clock: null,
    older: false,
    here: false,
    started_at: AT,
    seen_at: AT,
    seen_s: 1,
    ...more,
  };
}
