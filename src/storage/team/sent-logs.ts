/** Says what the logs that workers sent take in the database, and deletes them (ADR 0094). */
import { sql } from "kysely";
import { databaseTime } from "../schema/database-time.ts";
import type { Database } from "../schema/opened-database.ts";
import type { Reader } from "../schema/schema.ts";

export interface SentSize {
  /** Of what agents printed, as it is stored. */
  readonly bytes: number;
  /** Whether the worker that drives the run was removed: nobody else can delete it there. */
  readonly isLeft: boolean;
}

/** By run; those of which nothing is stored are left out. Of all runs if `among` is null. */
export async function sentSizes(
  db: Reader,
  among: readonly string[] | null,
): Promise<ReadonlyMap<string, SentSize>> {
  if (among?.length === 0) return new Map();
  const rows = await db
    .selectFrom("logSeries")
    .innerJoin("runs", "runs.id", "logSeries.runId")
    .leftJoin("workers", "workers.id", "runs.workerId")
    .select(({ fn }) => [
      "logSeries.runId",
      fn.sum<number>("bytes").as("sum"),
      fn.max("workers.removedAt").as("left"),
    ])
    .where("bytes", ">", 0)
    .where("logSeries.removedAt", "is", null)
    .$if(among !== null, (select) => select.where("logSeries.runId", "in", among ?? []))
    .groupBy("logSeries.runId")
    .execute();
  return new Map(rows.map(({ runId, sum, left }) => [runId, { bytes: Number(sum), isLeft: left !== null }]));
}

/** So many chunks go at once, so that no statement takes long. */
const BATCH = 500;

/** What agents printed in this run is to go; `purgeLogs` deletes it, also after a crash in between. */
export async function removeSentLog({ writes: { aside } }: Database, runId: string): Promise<void> {
  await aside
    .updateTable("logSeries")
    .set({ removedAt: databaseTime(aside) })
    .where("runId", "=", runId)
    .where("removedAt", "is", null)
    .execute();
}

/** Deletes what is to go, in batches. Tazuna's own steps stay, as they do on the disk. */
export async function purgeLogs({ writes: { aside } }: Database): Promise<void> {
  const rest = sql`select chunk.run_id, chunk.worker_id, chunk.number from log_chunks as chunk
    join log_series as series on series.run_id = chunk.run_id and series.worker_id = chunk.worker_id
    where series.removed_at is not null and series.bytes > 0 and chunk.file <> 'own' limit ${BATCH}`;
  for (;;) {
    const { numAffectedRows } =
      await sql`delete from log_chunks where (run_id, worker_id, number) in (${rest})`.execute(aside);
    if (numAffectedRows === 0n || numAffectedRows === undefined) break;
  }
  await aside
    .updateTable("logSeries")
    .set({ bytes: 0 })
    .where("removedAt", "is not", null)
    .where("bytes", ">", 0)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("logChunks")
            .select("logChunks.number")
            .whereRef("logChunks.runId", "=", "logSeries.runId")
            .whereRef("logChunks.workerId", "=", "logSeries.workerId")
            .where("file", "!=", "own"),
        ),
      ),
    )
    .execute();
}
