/** Moves old logs of a real Postgres into real object storage, and reads them there (ADR 0103). */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { sql } from "kysely";
import { ok } from "neverthrow";
import { NOTHING_SENT, SENT_FILES } from "../../src/domain/run/log-series.ts";
import type { ServiceContext } from "../../src/services/core/context.ts";
import { packName, readPack, writePack } from "../../src/services/log-chunks/log-pack.ts";
import { packLogs } from "../../src/services/log-chunks/pack-logs.ts";
import { createChunkReader } from "../../src/services/log-chunks/read-chunks.ts";
import type { Database } from "../../src/storage/schema/opened-database.ts";
import { chunksAfter, sendParts, seriesOfRun } from "../../src/storage/team/log-chunks.ts";
import { packsAfter, recordPack } from "../../src/storage/team/log-packs.ts";
import { purgeLogs, removeSentLog } from "../../src/storage/team/sent-logs.ts";
import { transact } from "../../src/storage/transact.ts";
import { onPostgresAlone, type TestDatabase } from "../helpers/databases.ts";
import { missingObjects, OBJECT_KEYS, type ObjectServer, objectServer } from "../helpers/object-server.ts";
import { insertSampleRun, sampleRun } from "../storage/sample-rows.ts";

const SERIES = { runId: sampleRun.id, workerId: "a" };

function contextOf(db: Database, changes: Partial<ServiceContext> = {}): ServiceContext {
  return {
    ...{
      db,
      objectKeys: OBJECT_KEYS,
      timing: { logsKeptMs: -1000 },
      engineStop: new AbortController().signal,
    },
    ...{ failpoint: () => undefined, ...changes },
  } as unknown as ServiceContext;
}

function onPostgres(what: string, body: (db: Database, objects: ObjectServer) => Promise<void>): void {
  const play = async ({ db }: TestDatabase) => {
    await using objects = await objectServer();
    await body(db, objects);
  };
  onPostgresAlone(what, play, { timeoutMs: 180_000, missing: missingObjects });
}

/** A run that is over, of which `count` chunks were sent; every tenth one is a step of Tazuna's own. */
async function printed(db: Database, count: number): Promise<void> {
  await transact(db, insertSampleRun);
  await sql`update runs set status = 'SUCCEEDED'`.execute(db.writes.kysely);
  await send(db, { from: 0, count });
}

async function send(db: Database, { from, count }: { readonly from: number; readonly count: number }) {
  const chunks = Array.from({ length: count }, (_, index) => {
    const number = from + index + 1;
    const text = Buffer.from(`${number}\n`.padStart(8, "."));
    const file = number % 10 === 0 ? ("own" as const) : ("out" as const);
    return { file, from: number * 8 - 8, to: number * 8, bytes: Bun.zstdCompressSync(text) };
  });
  const next = { chunks: from + count, sent: NOTHING_SENT, launch: null, state: "ended" as const };
  await sendParts(db, "a", [{ runId: sampleRun.id, epoch: 0, chunks, next }]);
}

/** The numbers of the chunks, as a reader finds them. */
async function readAll(context: ServiceContext, reader = createChunkReader(SERIES)): Promise<number[]> {
  const [series] = await seriesOfRun(context.db.reader, sampleRun.id);
  const found: number[] = [];
  for await (const pieces of reader.pieces(context, series ?? { packed: 0 }))
    for (const { bytes } of pieces) found.push(Number(Buffer.from(bytes).toString().replaceAll(".", "")));
  return found;
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

async function storedOf(db: Database): Promise<number[]> {
  const chunks = await chunksAfter(db.reader, SERIES, { after: 0, limit: 10_000 });
  return chunks.map(({ number }) => number);
}

onPostgres("what an agent printed goes, its steps stay, and all is read as before", async (db, objects) => {
  const context = contextOf(db);
  await printed(db, 4200);
  const before = createChunkReader(SERIES);
  expect(await readAll(context, before)).toEqual(upTo(4200));
  expect(await packLogs(context, objects.place)).toEqual(ok(undefined) as never);
  expect(await storedOf(db)).toEqual(upTo(420).map((tenth) => tenth * 10));
  expect((await objects.names()).map((name) => name.replace(/-\w{32}$/, ""))).toEqual(
    ["1-4096", "4097-4200"].map((part) => `team/${sampleRun.id}/a/${part}`),
  );
  expect(await readAll(context)).toEqual(upTo(4200));
  // What came late is read on by a reader that has the rest, and follows the others.
  await send(db, { from: 4200, count: 12 });
  expect(await readAll(context, before)).toEqual(upTo(4212).slice(4200));
  expect((await packLogs(context, objects.place)).isOk()).toBe(true);
  expect(await readAll(context)).toEqual(upTo(4212));
});

onPostgres("logs of runs that go on, and new ones, stay in the database", async (db, objects) => {
  await printed(db, 20);
  await packLogs(
    contextOf(db, { timing: { logsKeptMs: 3_600_000 } as ServiceContext["timing"] }),
    objects.place,
  );
  await sql`update runs set status = 'RUNNING'`.execute(db.writes.kysely);
  await packLogs(contextOf(db), objects.place);
  expect(await storedOf(db)).toEqual(upTo(20));
  expect(await objects.names()).toEqual([]);
});

onPostgres("a log that is moved while it is read is read as a whole", async (db, objects) => {
  await printed(db, 150);
  let moved = false;
  const context = contextOf(db);
  const chunks = createChunkReader(SERIES);
  const [series] = await seriesOfRun(db.reader, sampleRun.id);
  const found: number[] = [];
  // The first 64 are read; then a server moves all of it.
  for await (const pieces of chunks.pieces(context, series ?? { packed: 0 })) {
    if (!moved) await packLogs(context, objects.place);
    moved = true;
    for (const { bytes } of pieces) found.push(Number(Buffer.from(bytes).toString().replaceAll(".", "")));
  }
  expect(found).toEqual(upTo(150));
});

onPostgres(
  "several servers at once move each chunk once, and leave no object behind",
  async (db, objects) => {
    await printed(db, 5000);
    const all = await Promise.all([1, 2, 3].map(() => packLogs(contextOf(db), objects.place)));
    expect(all.every((moved) => moved.isOk())).toBe(true);
    const packs = await packsAfter(db.reader, SERIES, 0);
    expect(packs.map((pack) => `team/${packName(pack)}`).sort()).toEqual([...(await objects.names())]);
    expect(await readAll(contextOf(db))).toEqual(upTo(5000));
  },
);

onPostgres(
  "while the storage is away nothing leaves the database, and it goes later",
  async (db, objects) => {
    await printed(db, 70);
    await objects.stop();
    const failed = (await packLogs(contextOf(db), objects.place))._unsafeUnwrapErr();
    expect(failed).toMatchObject({ code: "away", message: expect.stringContaining("s3://logs/team/") });
    expect(await storedOf(db)).toEqual(upTo(70));
    await objects.start();
    await packLogs(contextOf(db), objects.place);
    expect(await readAll(contextOf(db))).toEqual(upTo(70));
    const wrong = objects.place.replace("s3://logs/", "s3://no-such-bucket/");
    await send(db, { from: 70, count: 1 });
    expect((await packLogs(contextOf(db), wrong))._unsafeUnwrapErr().code).toBe("refused");
  },
);

onPostgres("without keys, or while the storage is away, only the steps are read", async (db, objects) => {
  await printed(db, 70);
  await packLogs(contextOf(db), objects.place);
  const steps = [10, 20, 30, 40, 50, 60, 70];
  expect(await readAll(contextOf(db, { objectKeys: null }))).toEqual(steps);
  await objects.stop();
  expect(await readAll(contextOf(db))).toEqual(steps);
});

onPostgres("a log that a person deletes goes there too", async (db, objects) => {
  await printed(db, 70);
  const remove = async () => {
    await removeSentLog(db, sampleRun.id);
    await purgeLogs(db);
  };
  await packLogs(contextOf(db), objects.place);
  expect(await objects.names()).toHaveLength(1);
  await remove();
  await packLogs(contextOf(db), objects.place);
  expect([await objects.names(), await packsAfter(db.reader, SERIES, 0)]).toEqual([[], []]);
});

onPostgres("a log that is deleted between its object and its row is not recorded", async (db, objects) => {
  await printed(db, 30);
  await removeSentLog(db, sampleRun.id);
  const pack = { ...SERIES, first: 1, last: 30, hash: "0", place: objects.place, bytes: 1 };
  expect(await recordPack(db, pack)).toBe(false);
  expect([await packsAfter(db.reader, SERIES, 0), await storedOf(db)]).toEqual([[], upTo(30)]);
});

test("a pack is read as it was written, and a part of it is none", () => {
  const chunk = fc.record({
    ...{ number: fc.nat(), file: fc.constantFrom(...SENT_FILES), fromByte: fc.nat(), toByte: fc.nat() },
    bytes: fc.uint8Array({ maxLength: 50 }),
  });
  fc.assert(
    fc.property(fc.array(chunk, { maxLength: 20 }), fc.nat(), (chunks, cut) => {
      const bytes = writePack(chunks);
      const read = readPack(bytes);
      expect(read?.map((one) => ({ ...one, bytes: Uint8Array.from(one.bytes) }))).toEqual(chunks);
      expect(readPack(bytes.subarray(0, cut % bytes.length))).toBeNull();
    }),
  );
});
