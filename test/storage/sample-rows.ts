/** Makes rows for the storage tests, with ids that a reader can tell apart. */
import type { Repository } from "../../src/domain/repository/repository.ts";
import type { Run } from "../../src/domain/run/run.ts";
import type { Task } from "../../src/domain/task/task.ts";
import type { WriteTransaction } from "../../src/storage/schema/schema.ts";
import { insertAttempt, type NewAttempt } from "../../src/storage/tables/attempts.ts";
import { insertRepository } from "../../src/storage/tables/repositories.ts";
import { insertRun, type NewRun } from "../../src/storage/tables/runs.ts";
import { insertTask } from "../../src/storage/tables/tasks.ts";

export const NOON = "2026-01-02T12:00:00.000Z";

export const sampleRepository: Repository = {
  id: "repo-1",
  name: "garden",
  path: "/home/me/garden",
  commonDir: "/home/me/garden/.git",
  bare: false,
  url: null,
  address: null,
  createdAt: NOON,
};

export const sampleTask: Task = {
  id: "task-1",
  repositoryId: "repo-1",
  title: "Water the plants",
  issue: "They are dry.",
  context: null,
  constraints: null,
  base: null,
  onLabels: [],
  publish: "push",
  settings: {},
  createdAt: NOON,
};

export const sampleAttempt: NewAttempt = {
  id: "attempt-1",
  taskId: "task-1",
  agent: "claude-code",
  executor: "claude-code",
  model: null,
  branch: "tazuna/12345678",
  branchExisted: false,
  worktree: "/data/worktrees/run_run-1",
  base: { branch: null, sha: null },
  origin: null,
  createdAt: NOON,
};

export const sampleRun: NewRun = {
  id: "run-1",
  attemptId: "attempt-1",
  kind: "agent",
  instruction: "Water them.",
  offline: false,
  held: false,
  options: {},
  createdAt: NOON,
};

/** One repository, task and attempt with one queued run. */
export async function insertSampleRun(trx: WriteTransaction): Promise<Run> {
  await insertRepository(trx, sampleRepository, "worker-1");
  await insertTask(trx, sampleTask);
  await insertAttempt(trx, sampleAttempt);
  return insertRun(trx, sampleRun);
}
