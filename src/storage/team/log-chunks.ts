/**
 * Stores what workers send of the logs of their runs. Nothing of it is a fact, so that it waits in no queue of writers
 * (ADR 0094).
 */
import { type RawBuilder, sql } from "kysely";
import type { LogSeries, SentFile } from "../../domain/run/log-series.ts";
import type { RunStatus } from "../../domain/run/state.ts";
import { databaseTime } from "../schema/database-time.ts";
import type { Database } from "../schema/opened-database.ts";
import { logSeries, type Reader } from "../schema/schema.ts";
import { UNFINISHED } from "../tables/run-lease.ts";

interface SentChunk {
  readonly file: SentFile;
  readonly from: number;
  readonly to: number;
  /** Compressed (zstd). */
  readonly bytes: Uint8Array;
}

/** What is sent of one run at once. */
export interface SentPart {
  readonly runId: string;
  readonly epoch: number;
  readonly chunks: readonly SentChunk[];
  /** What is known once it is stored; null if nothing is new, and only the status of the run is asked for. */
  readonly next: Pick<LogSeries, "chunks" | "sent" | "launch" | "state"> | null;
}

/**
 * Stores the parts of all runs by one statement, and returns the status of those that the worker may write: nobody else took
 * their lease since. The parts of all others are dropped. Of two statements that begin at the same number, one fails as a
 * whole. So no chunk is there twice, and none is missing in between. Only for a Postgres.
 */
export async function sendParts(
  { writes: { aside } }: Database,
  worker: string,
  parts: readonly SentPart[],
): Promise<ReadonlyMap<string, RunStatus>> {
  const now = databaseTime(aside);
  const { rows } = await sql<{ id: string; status: RunStatus }>`
    with part (run_id, epoch, chunks, bytes, sent, launch, state) as (values ${listed(parts.map(partRow))}),
    held as (
      select runs.id, runs.status from runs join part on part.run_id = runs.id and part.epoch = runs.lease_epoch
      where runs.lease_owner is null or runs.lease_owner = ${worker}
    ),
    series as (
      insert into log_series as old (run_id, worker_id, first_epoch, epoch, chunks, bytes, sent, launch, state, at)
      select run_id, ${worker}, epoch, epoch, chunks, bytes, sent, launch, state, ${now}
      from part join held on held.id = part.run_id where part.sent is not null
      on conflict (run_id, worker_id) do update set epoch = excluded.epoch, chunks = excluded.chunks,
        bytes = old.bytes + excluded.bytes, sent = excluded.sent, launch = excluded.launch, state = excluded.state, at = excluded.at
    )${withChunks(parts, worker, now)}
    select id, status from held`.execute(aside);
  return new Map(rows.map(({ id, status }) => [id, status]));
}

function partRow({ runId, epoch, chunks, next }: SentPart): RawBuilder<unknown> {
  const { sent = null, launch = null } = next === null ? {} : logSeries.write(next);
  const bytes = chunks.reduce((sum, chunk) => sum + (chunk.file === "own" ? 0 : chunk.bytes.length), 0);
  return sql`(${runId}, cast(${epoch} as integer), cast(${next?.chunks ?? 0} as integer), cast(${bytes} as bigint),
    cast(${sent} as text), cast(${launch} as text), cast(${next?.state ?? null} as text))`;
}

/** Numbered on from what was there before them. */
function withChunks(
  parts: readonly SentPart[],
  worker: string,
  now: RawBuilder<string>,
): RawBuilder<unknown> {
  const rows = parts.flatMap(({ runId, epoch, chunks, next }) =>
    chunks.map(
      ({ file, from, to, bytes }, index) =>
        sql`(${runId}, cast(${(next?.chunks ?? 0) - chunks.length + index + 1} as integer), ${file}, cast(${from} as bigint),
          cast(${to} as bigint), cast(${epoch} as integer), cast(${bytes} as bytea))`,
    ),
  );
  if (rows.length === 0) return sql``;
  return sql`,
    chunk as (
      insert into log_chunks (run_id, worker_id, number, file, from_byte, to_byte, epoch, at, bytes)
      select given.run_id, ${worker}, number, file, from_byte, to_byte, epoch, ${now}, bytes
      from (values ${listed(rows)}) as given (run_id, number, file, from_byte, to_byte, epoch, bytes)
      join held on held.id = given.run_id
    )`;
}

function listed(rows: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql.join([...rows]);
}

/** What each worker sent of the run, the first one first. */
export async function seriesOfRun(db: Reader, runId: string): Promise<readonly LogSeries[]> {
  const rows = await db
    .selectFrom("logSeries")
    .selectAll()
    .where("runId", "=", runId)
    .orderBy("firstEpoch")
    .execute();
  return rows.map(logSeries.read);
}

export async function isSentWhole(
  db: Reader,
  { runId, workerId }: Pick<LogSeries, "runId" | "workerId">,
): Promise<boolean> {
  const row = await db
    .selectFrom("logSeries")
    .select("state")
    .where("runId", "=", runId)
    .where("workerId", "=", workerId)
    .executeTakeFirst();
  return row?.state === "ended";
}

/** What this worker has sent of these runs, by their ids. */
export async function seriesOfWorker(
  db: Reader,
  { worker, runs }: { readonly worker: string; readonly runs: readonly string[] },
): Promise<ReadonlyMap<string, LogSeries>> {
  if (runs.length === 0) return new Map();
  const rows = await db
    .selectFrom("logSeries")
    .selectAll()
    .where("workerId", "=", worker)
    .where("runId", "in", runs)
    .execute();
  return new Map(rows.map((row) => [row.runId, logSeries.read(row)]));
}

/** The chunks after a number, in order; up to another one if it is given. */
export function chunksAfter(
  db: Reader,
  { runId, workerId }: Pick<LogSeries, "runId" | "workerId">,
  { after, upTo, limit }: { readonly after: number; readonly upTo?: number; readonly limit: number },
): Promise<
  readonly { number: number; file: SentFile; fromByte: number; toByte: number; bytes: Uint8Array }[]
> {
  return db
    .selectFrom("logChunks")
    .select(["number", "file", "fromByte", "toByte", "bytes"])
    .where("runId", "=", runId)
    .where("workerId", "=", workerId)
    .where("number", ">", after)
    .$if(upTo !== undefined, (select) => select.where("number", "<=", upTo ?? after))
    .orderBy("number")
    .limit(limit)
    .execute();
}

/** Runs of the worker that ended within this time, and of which not all is sent; with the epoch of their last lease. */
export async function unsentRuns(
  db: Reader,
  { worker, withinMs }: { readonly worker: string; readonly withinMs: number },
): Promise<readonly { readonly id: string; readonly epoch: number; readonly status: RunStatus }[]> {
  const rows = await db
    .selectFrom("runs")
    .leftJoin("logSeries", (join) =>
      join.onRef("logSeries.runId", "=", "runs.id").on("logSeries.workerId", "=", worker),
    )
    .select(["runs.id", "runs.leaseEpoch as epoch", "runs.status"])
    .where("runs.workerId", "=", worker)
    .where("runs.status", "not in", UNFINISHED)
    .where("runs.leaseEpoch", ">", 0)
    .where("runs.endedAt", ">", databaseTime(db, -withinMs))
    .where((eb) => eb.or([eb("logSeries.state", "is", null), eb("logSeries.state", "!=", "ended")]))
    .execute();
  return rows.map(({ id, epoch, status }) => ({ id, epoch, status: status as RunStatus }));
}

/** What says whether more of a run's log will be sent. Null if there is no such run. */
export async function driverOf(
  db: Reader,
  runId: string,
): Promise<{
  readonly workerId: string | null;
  readonly epoch: number;
  readonly isLongOver: boolean;
} | null> {
  const row = await db
    .selectFrom("runs")
    .select(["workerId", "leaseEpoch", "endedAt", databaseTime(db, -LONG_MS).as("before")])
    .where("id", "=", runId)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { workerId, leaseEpoch: epoch, endedAt, before } = row;
  return { workerId, epoch, isLongOver: endedAt !== null && endedAt < before };
}

/** After this time nobody waits for the log of a run of which nothing was sent. */
const LONG_MS = 60_000;
