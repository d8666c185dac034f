/** Fills a data folder's database with runs that have ended and facts, through the storage's own functions. */
import type { Database } from "../../src/storage/schema/opened-database.ts";
import type { WriteTransaction } from "../../src/storage/schema/schema.ts";
import { insertAttempt } from "../../src/storage/tables/attempts.ts";
import { appendFact } from "../../src/storage/tables/facts.ts";
import { insertRepository } from "../../src/storage/tables/repositories.ts";
import { moveRun } from "../../src/storage/tables/run-moves.ts";
import { insertRun } from "../../src/storage/tables/runs.ts";
import { insertTask } from "../../src/storage/tables/tasks.ts";
import { transact } from "../../src/storage/transact.ts";

const PER_TRANSACTION = 1_000;

/** One task with one attempt for each run; every run has ended. Facts belong to the first run. */
export async function fillDatabase(
  db: Database,
  of: { readonly repository: string; readonly runs: number; readonly facts: number },
): Promise<void> {
  await transact(db, (trx) =>
    insertRepository(
      trx,
      {
        id: REPOSITORY,
        name: "clone",
        path: of.repository,
        commonDir: `${of.repository}/.git`,
        bare: false,
        url: null,
        address: null,
        createdAt: timeOf(0),
      },
      "worker",
    ),
  );
  await inBatches(db, of.runs, insertEnded);
  await inBatches(db, of.facts, insertFact);
}

const REPOSITORY = idOf("a", 0);

async function inBatches(
  db: Database,
  count: number,
  insert: (trx: WriteTransaction, index: number) => Promise<void>,
): Promise<void> {
  for (let from = 0; from < count; from += PER_TRANSACTION)
    await transact(db, async (trx) => {
      for (let index = from; index < Math.min(count, from + PER_TRANSACTION); index++)
        await insert(trx, index);
    });
}

async function insertEnded(trx: WriteTransaction, index: number): Promise<void> {
  const createdAt = timeOf(index);
  const [task, attempt, run] = [idOf("b", index), idOf("c", index), idOf("d", index)];
  await insertTask(trx, {
    id: task,
    repositoryId: REPOSITORY,
    title: `Task ${index}`,
    issue: `Do the thing with the number ${index}, and do it well.`,
    context: null,
    constraints: null,
    base: "main",
    onLabels: [],
    publish: "push",
    settings: {},
    createdAt,
  });
  await insertAttempt(trx, {
    id: attempt,
    taskId: task,
    agent: "bench",
    executor: "command",
    model: null,
    branch: `tazuna/${run.slice(0, 8)}`,
    branchExisted: false,
    worktree: `/nowhere/run_${run}`,
    base: { branch: "main", sha: null },
    origin: null,
    createdAt,
  });
  await insertRun(trx, {
    id: run,
    attemptId: attempt,
    kind: "agent",
    instruction: `Do the thing with the number ${index}, and do it well.`,
    offline: false,
    held: false,
    options: {},
    createdAt,
  });
  await moveRun(trx, {
    id: run,
    expect: { status: "PENDING", phase: "queued", epoch: null },
    to: { status: "CANCELED", phase: null },
    set: { endedAt: createdAt },
  });
}

async function insertFact(trx: WriteTransaction, index: number): Promise<void> {
  await appendFact(trx, {
    at: timeOf(index),
    kind: "run.action",
    taskId: idOf("b", 0),
    attemptId: idOf("c", 0),
    runId: idOf("d", 0),
    data: { title: `Edit src/part-${index % 9}/file-${index}.ts`, tool: "edit" },
  });
}

function idOf(kind: string, index: number): string {
  return `${index.toString(16).padStart(8, "0")}-0000-4000-8000-00000000000${kind}`;
}

function timeOf(index: number): string {
  return new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString();
}
