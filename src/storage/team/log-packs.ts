/** Stores which chunks of logs lie in object storage, and takes them out of the database (ADR 0103). */
import { sql } from "kysely";
import type { LogSeries } from "../../domain/run/log-series.ts";
import { databaseTime } from "../schema/database-time.ts";
import type { Database } from "../schema/opened-database.ts";
import { logSeries, type Reader } from "../schema/schema.ts";
import { UNFINISHED } from "../tables/run-lease.ts";

type SeriesKey = Pick<LogSeries, "runId" | "workerId">;

/** An object that holds the chunks of a series from one number to another. */
export interface LogPack extends SeriesKey {
  /** The numbers of its first and last chunk. */
  readonly first: number;
  readonly last: number;
  /** Of its bytes. A server that came late reads other bytes, since some are gone, and so writes another object. */
  readonly hash: string;
  /** `logPlaceText` of where it lies. */
  readonly place: string;
}

/** Series of runs that are over, of which chunks lie in the database alone. Nothing came for so long. */
export async function seriesToPack(
  db: Reader,
  { olderThanMs, limit }: { readonly olderThanMs: number; readonly limit: number },
): Promise<readonly LogSeries[]> {
  const rows = await db
    .selectFrom("logSeries")
    .innerJoin("runs", "runs.id", "logSeries.runId")
    .selectAll("logSeries")
    .whereRef("logSeries.chunks", ">", "logSeries.packed")
    .where("logSeries.removedAt", "is", null)
    .where("logSeries.at", "<", databaseTime(db, -olderThanMs))
    .where("runs.status", "not in", UNFINISHED)
    .orderBy("logSeries.at")
    .limit(limit)
    .execute();
  return rows.map(logSeries.read);
}

/**
 * The object is stored: what the agent printed goes out of the database, and Tazuna's own steps stay. False if another
 * server was faster, or if the log was deleted meanwhile; then nothing has changed. One statement, so a crash leaves both
 * or none.
 */
export async function recordPack(
  { writes: { aside } }: Database,
  { runId, workerId, first, last, hash, place, bytes }: LogPack & { readonly bytes: number },
): Promise<boolean> {
  const { rows } = await sql<{ count: number | string }>`
    with packed as (
      update log_series set packed = ${last}
      where run_id = ${runId} and worker_id = ${workerId} and packed = ${first - 1} and removed_at is null
      returning run_id
    ),
    noted as (
      insert into log_packs (run_id, worker_id, first, last, hash, place, bytes, at)
      select run_id, ${workerId}, cast(${first} as integer), cast(${last} as integer), ${hash}, ${place}, cast(${bytes} as bigint),
        ${databaseTime(aside)} from packed
    ),
    gone as (
      delete from log_chunks using packed where log_chunks.run_id = packed.run_id and worker_id = ${workerId}
        and number between ${first} and ${last} and file <> 'own'
    )
    select count(*) as count from packed`.execute(aside);
  return Number(rows[0]?.count ?? 0) === 1;
}

/** Those that hold chunks after a number, in order. */
export function packsAfter(
  db: Reader,
  { runId, workerId }: SeriesKey,
  after: number,
): Promise<readonly LogPack[]> {
  return db
    .selectFrom("logPacks")
    .select(["runId", "workerId", "first", "last", "hash", "place"])
    .where("runId", "=", runId)
    .where("workerId", "=", workerId)
    .where("last", ">", after)
    .orderBy("first")
    .execute();
}

export async function isPacked(db: Reader, runId: string): Promise<boolean> {
  const row = await db
    .selectFrom("logPacks")
    .select("first")
    .where("runId", "=", runId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Objects of logs that a person deleted. */
export function packsOfRemoved(db: Reader, limit: number): Promise<readonly LogPack[]> {
  return db
    .selectFrom("logPacks")
    .innerJoin("logSeries", (join) =>
      join
        .onRef("logSeries.runId", "=", "logPacks.runId")
        .onRef("logSeries.workerId", "=", "logPacks.workerId"),
    )
    .select(["logPacks.runId", "logPacks.workerId", "first", "last", "hash", "place"])
    .where("logSeries.removedAt", "is not", null)
    .limit(limit)
    .execute();
}

export async function forgetPack({ writes: { aside } }: Database, pack: LogPack): Promise<void> {
  await aside
    .deleteFrom("logPacks")
    .where("runId", "=", pack.runId)
    .where("workerId", "=", pack.workerId)
    .where("first", "=", pack.first)
    .execute();
}
