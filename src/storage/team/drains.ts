/** Stores that a worker begins no run any more, what ends that, and that a worker was removed (ADR 0088). */
import type { Run } from "../../domain/run/run.ts";
import { isFarOff } from "../../domain/worker/clock-offset.ts";
import { takesRuns, type Worker } from "../../domain/worker/worker.ts";
import { databaseTime } from "../schema/database-time.ts";
import { type Reader, runs, type WriteTransaction, workers } from "../schema/schema.ts";
import { UNFINISHED } from "../tables/run-lease.ts";

/** By its name, or by its id. Null if there is none, or if it was removed. */
export async function findWorker(db: Reader, named: string): Promise<Worker | null> {
  const row = await db
    .selectFrom("workers")
    .selectAll()
    .where((eb) => eb.or([eb("name", "=", named), eb("id", "=", named)]))
    .where("removedAt", "is", null)
    .executeTakeFirst();
  return row === undefined ? null : workers.read(row);
}

/**
 * A drain that goes on keeps its beginning, and its time limit if no other is given. One that a person began does not end
 * with a start.
 */
export async function beginDrain(
  trx: WriteTransaction,
  worker: Worker,
  drain: {
    readonly withinMs: number | null;
    readonly until: NonNullable<Worker["drainUntil"]>;
    readonly actor: Worker["drainActor"];
  },
): Promise<void> {
  const isPersons = worker.drainUntil === "resume";
  await trx
    .updateTable("workers")
    .set({
      ...(worker.drainingSince === null ? { drainingSince: databaseTime(trx) } : {}),
      ...(drain.withinMs === null ? {} : { drainBy: databaseTime(trx, drain.withinMs) }),
      drainUntil: isPersons ? "resume" : drain.until,
      ...(isPersons ? {} : workers.write({ drainActor: drain.actor })),
    })
    .where("id", "=", worker.id)
    .execute();
}

/** Whether there was a drain. `by`: what ends it; a person ends each. */
export async function endDrain(
  trx: WriteTransaction,
  id: string,
  by: NonNullable<Worker["drainUntil"]>,
): Promise<boolean> {
  const ended = await trx
    .updateTable("workers")
    .set({ drainingSince: null, drainBy: null, drainUntil: null, drainActor: null })
    .where("id", "=", id)
    .where("drainUntil", "is not", null)
    .$if(by === "start", (update) => update.where("drainUntil", "=", by))
    .executeTakeFirst();
  return ended.numUpdatedRows === 1n;
}

/** From then on it begins nothing, also if its engine still works. */
export async function noteRemoved(trx: WriteTransaction, id: string): Promise<void> {
  const set = { state: "stopped", removedAt: databaseTime(trx) } as const;
  await trx.updateTable("workers").set(set).where("id", "=", id).execute();
}

interface Standing {
  /** False if it drains, was removed, or if its clock is far off. */
  readonly begins: boolean;
  readonly clockIsOff: boolean;
  /** When what still goes on is to be stopped, in milliseconds from now by the database's clock; null if never. */
  readonly stopsInMs: number | null;
  readonly isRemoved: boolean;
  readonly labels: readonly string[];
}

/** Ask it in the transaction that takes a run: a drain that was answered before then holds. */
export async function standingOf(db: Reader, id: string): Promise<Standing> {
  const row = await db
    .selectFrom("workers")
    .select(["drainingSince", "drainBy", "removedAt", "clockMs", "labels", databaseTime(db).as("now")])
    .where("id", "=", id)
    .executeTakeFirst();
  if (row === undefined)
    return { begins: true, clockIsOff: false, stopsInMs: null, isRemoved: false, labels: [] };
  return {
    begins: takesRuns(row) && row.removedAt === null,
    clockIsOff: isFarOff(row.clockMs),
    stopsInMs: row.drainBy === null ? null : Date.parse(row.drainBy) - Date.parse(row.now),
    isRemoved: row.removedAt !== null,
    labels: JSON.parse(row.labels),
  };
}

/** The runs of these workers that have not ended, by worker; those that wait too. */
export async function unfinishedOf(
  db: Reader,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly Run[]>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("runs")
    .selectAll()
    .where("status", "in", UNFINISHED)
    .where("workerId", "in", ids)
    .orderBy("queuePlace")
    .execute();
  const groups = Map.groupBy(rows, ({ workerId }) => workerId ?? "");
  return new Map([...groups].map(([id, ofIt]) => [id, ofIt.map(runs.read)]));
}

/** Takes the lease from an owner that will not come back: what it writes later is refused. */
export async function takeAway(trx: WriteTransaction, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await trx
    .updateTable("runs")
    .set((eb) => ({ leaseOwner: null, leaseUntil: null, leaseEpoch: eb("leaseEpoch", "+", 1) }))
    .where("id", "in", ids)
    .execute();
}

/** The cancelled attempts that this worker would still have to clean up. */
export async function canceledAt(db: Reader, id: string): Promise<readonly string[]> {
  const rows = await db
    .selectFrom("attempts")
    .select("id")
    .where("state", "=", "canceled")
    .where("workerId", "=", id)
    .execute();
  return rows.map((row) => row.id);
}
