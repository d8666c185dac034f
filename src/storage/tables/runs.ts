/** Stores runs: made once, read in queue order; `run-moves.ts` and `run-lease.ts` change them. */
import type { Run } from "../../domain/run/run.ts";
import { INITIAL_STATE } from "../../domain/run/state.ts";
import { neededProtocol } from "../../domain/worker/protocol.ts";
import { type Reader, runs, type WriteTransaction } from "../schema/schema.ts";
import { UNFINISHED } from "./run-lease.ts";

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
    .where("attemptId", "=", run.attemptId)
    .executeTakeFirstOrThrow();
  const { place } = await trx
    .selectFrom("runs")
    .select((eb) => eb.fn.coalesce(eb.fn.max("queuePlace"), eb.lit(0)).as("place"))
    .executeTakeFirstOrThrow();
  const row = await trx
    .insertInto("runs")
    .values({
      ...runs.write({ ...run, ...INITIAL_STATE, number: number + 1, notes: [] }),
      queuePlace: place + 1,
      leaseEpoch: 0,
      needsProtocol: neededProtocol(run),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return runs.read(row);
}

export async function getRun(db: Reader, id: string): Promise<Run | null> {
  const row = await db.selectFrom("runs").selectAll().where("id", "=", id).executeTakeFirst();
  return row === undefined ? null : runs.read(row);
}

/** In the order in which they work: those that began, then the queue. */
export async function runsOfAttempt(db: Reader, attemptId: string): Promise<Run[]> {
  const rows = await db
    .selectFrom("runs")
    .selectAll()
    .where("attemptId", "=", attemptId)
    .orderBy("queuePlace")
    .execute();
  return rows.map(runs.read);
}

/** By attempt, each in the order in which its runs work. */
export async function runsOfTasks(db: Reader, taskIds: readonly string[]): Promise<Run[]> {
  if (taskIds.length === 0) return [];
  const rows = await db
    .selectFrom("runs")
    .innerJoin("attempts", "attempts.id", "runs.attemptId")
    .selectAll("runs")
    .where("attempts.taskId", "in", taskIds)
    .orderBy("runs.attemptId")
    .orderBy("runs.queuePlace")
    .execute();
  return rows.map(runs.read);
}

/** Every run that has not ended, in queue order. */
export async function unfinishedRuns(db: Reader): Promise<Run[]> {
  const rows = await db
    .selectFrom("runs")
    .selectAll()
    .where("status", "in", UNFINISHED)
    .orderBy("queuePlace")
    .execute();
  return rows.map(runs.read);
}

/**
 * Whether an unsandboxed agent works in a repository with this git directory, or code that it may have written.
 * Checks and hooks run such code too.
 */
export async function agentsAtWork(db: Reader, commonDir: string): Promise<boolean> {
  const row = await db
    .selectFrom("runs")
    .innerJoin("attempts", "attempts.id", "runs.attemptId")
    .innerJoin("repositories", "repositories.id", "attempts.repositoryId")
    .select("runs.id")
    .where("repositories.commonDir", "=", commonDir)
    .where("runs.status", "in", ["RUNNING", "STAGING", "COMMITTING"])
    .where((eb) => eb.or([eb("runs.isolation", "is", null), eb("runs.isolation", "!=", "sandbox")]))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
