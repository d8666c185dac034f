/** Stores runs: made once, read in queue order; `run-moves.ts` and `run-lease.ts` change them. */
import type { Run } from "../../domain/run/run.ts";
import { INITIAL_STATE } from "../../domain/run/state.ts";
import { toJson, toTime } from "../schema/row.ts";
import type { Reader, WriteTransaction } from "../schema/schema.ts";
import { toRun, UNFINISHED } from "./run-row.ts";

/** A new run; the storage gives its number and its place in the queue. */
export type NewRun = Pick<
  Run,
  "id" | "attemptId" | "kind" | "instruction" | "offline" | "held" | "options" | "createdAt"
>;

/** Adds the run at the end of the queue, in the first state of every run. */
export async function insertRun(trx: WriteTransaction, run: NewRun): Promise<Run> {
  const { number } = await trx
    .selectFrom("runs")
    .select((eb) => eb.fn.coalesce(eb.fn.max("number"), eb.lit(0)).as("number"))
    .where("attempt_id", "=", run.attemptId)
    .executeTakeFirstOrThrow();
  const { place } = await trx
    .selectFrom("runs")
    .select((eb) => eb.fn.coalesce(eb.fn.max("queue_place"), eb.lit(0)).as("place"))
    .executeTakeFirstOrThrow();
  const row = await trx
    .insertInto("runs")
    .values({
      id: run.id,
      attempt_id: run.attemptId,
      number: number + 1,
      queue_place: place + 1,
      kind: run.kind,
      instruction: run.instruction,
      status: INITIAL_STATE.status,
      phase: INITIAL_STATE.phase,
      notes: "[]",
      offline: run.offline,
      held: run.held,
      options: toJson(run.options),
      created_at: toTime(run.createdAt),
      lease_epoch: 0,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return toRun(row);
}

export async function getRun(db: Reader, id: string): Promise<Run | null> {
  const row = await db.selectFrom("runs").selectAll().where("id", "=", id).executeTakeFirst();
  return row === undefined ? null : toRun(row);
}

/** By number. */
export async function runsOfAttempt(db: Reader, attemptId: string): Promise<Run[]> {
  const rows = await db
    .selectFrom("runs")
    .selectAll()
    .where("attempt_id", "=", attemptId)
    .orderBy("number")
    .execute();
  return rows.map(toRun);
}

/** By number within each attempt. */
export async function runsOfTasks(db: Reader, taskIds: readonly string[]): Promise<Run[]> {
  if (taskIds.length === 0) return [];
  const rows = await db
    .selectFrom("runs")
    .innerJoin("attempts", "attempts.id", "runs.attempt_id")
    .selectAll("runs")
    .where("attempts.task_id", "in", taskIds)
    .orderBy("runs.attempt_id")
    .orderBy("runs.number")
    .execute();
  return rows.map(toRun);
}

/** Every run that has not ended, in queue order. */
export async function unfinishedRuns(db: Reader): Promise<Run[]> {
  const rows = await db
    .selectFrom("runs")
    .selectAll()
    .where("status", "in", UNFINISHED)
    .orderBy("queue_place")
    .execute();
  return rows.map(toRun);
}

/**
 * Whether an agent without a sandbox works in a repository with this git directory, or code that it may have written.
 * Checks and hooks run such code too.
 */
export async function agentsAtWork(db: Reader, commonDir: string): Promise<boolean> {
  const row = await db
    .selectFrom("runs")
    .innerJoin("attempts", "attempts.id", "runs.attempt_id")
    .innerJoin("tasks", "tasks.id", "attempts.task_id")
    .innerJoin("repositories", "repositories.id", "tasks.repository_id")
    .select("runs.id")
    .where("repositories.common_dir", "=", commonDir)
    .where("runs.status", "in", ["RUNNING", "STAGING", "COMMITTING"])
    .where((eb) => eb.or([eb("runs.isolation", "is", null), eb("runs.isolation", "!=", "sandbox")]))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
