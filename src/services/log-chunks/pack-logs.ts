/** Moves old logs from the database into object storage, and deletes there what a person deleted (ADR 0103). */
import { ok, type Result } from "neverthrow";
import type { LogSeries } from "../../domain/run/log-series.ts";
import type { Reader } from "../../storage/schema/schema.ts";
import { chunksAfter } from "../../storage/team/log-chunks.ts";
import {
  forgetPack,
  type LogPack,
  packsAfter,
  packsOfRemoved,
  recordPack,
  seriesToPack,
} from "../../storage/team/log-packs.ts";
import type { Uses } from "../core/context-parts.ts";
import {
  CHUNKS_AT_ONCE,
  PACK_BYTES,
  PACK_CHUNKS,
  type PackedChunk,
  packHash,
  packName,
  writePack,
} from "./log-pack.ts";
import { type ObjectError, type ObjectStore, openPlace } from "./object-store.ts";

type PackContext = Uses<"db" | "timing" | "objectKeys" | "failpoint" | "engineStop">;

/** Series, and objects of deleted logs, of one look. */
const LOOKED_AT = 50;

/**
 * Moves what is due to that place. Ends at the first failure of the storage: nothing is lost, since a chunk leaves the
 * database only once it is stored there. Several servers may do it at once.
 */
export async function packLogs(context: PackContext, place: string): Promise<Result<void, ObjectError>> {
  const due = { olderThanMs: context.timing.logsKeptMs, limit: LOOKED_AT };
  while (!context.engineStop.aborted) {
    const all = await seriesToPack(context.db.reader, due);
    if (all.length === 0) break;
    for (const series of all) {
      const packed = await packSeries(context, series, place);
      if (packed.isErr() || context.engineStop.aborted) return packed;
    }
  }
  return removePacks(context);
}

/** Each object by itself, so that a crash repeats at most one. */
async function packSeries(
  context: PackContext,
  series: LogSeries,
  place: string,
): Promise<Result<void, ObjectError>> {
  const { db, failpoint } = context;
  const store = storeOf(context, place);
  const { runId, workerId } = series;
  for (let before = series.packed; before < series.chunks; ) {
    const chunks = await chunksOfPack(db.reader, series, before);
    const bytes = writePack(chunks);
    const numbers = { first: before + 1, last: chunks.at(-1)?.number ?? series.chunks };
    const pack = { runId, workerId, ...numbers, hash: packHash(bytes), place };
    const stored = await store.put(packName(pack), bytes);
    if (stored.isErr()) return stored;
    failpoint("log:stored");
    if (!(await recordPack(db, { ...pack, bytes: bytes.length }))) return dropUnlessKnown(context, pack);
    before = pack.last;
  }
  return ok(undefined);
}

/** What an agent prints each second is little: so most objects hold many chunks. */
async function chunksOfPack(db: Reader, series: LogSeries, before: number): Promise<readonly PackedChunk[]> {
  const chunks: PackedChunk[] = [];
  for (let size = 0; size < PACK_BYTES && chunks.length < PACK_CHUNKS; ) {
    const after = chunks.at(-1)?.number ?? before;
    const more = await chunksAfter(db, series, { after, limit: CHUNKS_AT_ONCE });
    if (more.length === 0) break;
    chunks.push(...more);
    size += more.reduce((sum, { fromByte, toByte }) => sum + toByte - fromByte, 0);
  }
  return chunks;
}

/** Another server was faster, maybe with this very object; or a person deleted the log. */
async function dropUnlessKnown(context: PackContext, pack: LogPack): Promise<Result<void, ObjectError>> {
  const known = await packsAfter(context.db.reader, pack, pack.first - 1);
  const isKnown = known.some((one) => packName(one) === packName(pack) && one.place === pack.place);
  return isKnown ? ok(undefined) : storeOf(context, pack.place).remove(packName(pack));
}

/** The row goes once the object is gone. */
async function removePacks(context: PackContext): Promise<Result<void, ObjectError>> {
  while (!context.engineStop.aborted) {
    const all = await packsOfRemoved(context.db.reader, LOOKED_AT);
    if (all.length === 0) break;
    for (const pack of all) {
      const removed = await storeOf(context, pack.place).remove(packName(pack));
      if (removed.isErr()) return removed;
      await forgetPack(context.db, pack);
    }
  }
  return ok(undefined);
}

function storeOf({ objectKeys }: Uses<"objectKeys">, place: string): ObjectStore {
  const store = openPlace(objectKeys, place);
  if (store === null) throw new Error(`logs at ${place} are asked for without its keys`);
  return store;
}
