/** Tells that a run which needs a newer program is left to one, whatever else would let it begin (ADR 0100). */
import { expect } from "bun:test";
import { PROTOCOL } from "../../src/domain/worker/protocol.ts";
import { queueOfWorker } from "../../src/storage/queries/queue-of-worker.ts";
import { takeLease } from "../../src/storage/tables/run-lease.ts";
import { getRun } from "../../src/storage/tables/runs.ts";
import { lostRuns } from "../../src/storage/team/lost-runs.ts";
import { olderWorkers } from "../../src/storage/team/waiting-runs.ts";
import { registerWorker } from "../../src/storage/team/workers.ts";
import { transact } from "../../src/storage/transact.ts";
import { onBothDatabases, type TestDatabase } from "../helpers/databases.ts";
import { insertSampleRun } from "./sample-rows.ts";

const take = ({ db }: TestDatabase, owner: string) =>
  transact(db, (trx) => takeLease(trx, { id: "run-1", owner, forMs: 60_000 }));

/** As a newer program stores it. */
const needs = ({ db }: TestDatabase, needsProtocol: number | null) =>
  transact(db, (trx) => trx.updateTable("runs").set({ needsProtocol }).where("id", "=", "run-1").execute());

const newerRuns = async ({ db }: TestDatabase) =>
  (await queueOfWorker(db.reader, { owner: "a", worker: null })).flatMap(({ run, isNewer }) =>
    isNewer ? run.id : [],
  );

onBothDatabases("no worker takes a run that needs a newer program", async (on) => {
  await transact(on.db, insertSampleRun);
  await needs(on, PROTOCOL + 1);
  expect(await take(on, "a")).toBeNull();
  expect(await newerRuns(on)).toEqual(["run-1"]);
  await needs(on, PROTOCOL);
  expect(await take(on, "a")).toBe(1);
  expect(await newerRuns(on)).toEqual([]);
});

onBothDatabases("a run that an earlier program made names no need, and is taken", async (on) => {
  await transact(on.db, insertSampleRun);
  await needs(on, null);
  expect(await take(on, "a")).toBe(1);
});

onBothDatabases("a lost run that needs a newer program is left for one", async (on) => {
  await transact(on.db, async (trx) => {
    await insertSampleRun(trx);
    for (const id of ["a", "b"]) await registerWorker(trx, { id, version: "1.0.0", slots: 4, host: id });
  });
  expect(await take(on, "a")).toBe(1);
  await transact(on.db, (trx) =>
    trx.updateTable("runs").set({ leaseUntil: "2020-01-01T00:00:00.000Z" }).execute(),
  );
  const lost = async () => (await lostRuns(on.db.reader, { than: "b" })).map(({ run }) => run.id);
  expect(await lost()).toEqual(["run-1"]);
  await needs(on, PROTOCOL + 1);
  expect(await lost()).toEqual([]);
  const [seen] = await queueOfWorker(on.db.reader, { owner: "b", worker: "b" });
  expect(seen?.elsewhereForMs ?? null).toBeNull();
  expect((await getRun(on.db.reader, "run-1"))?.lease).not.toBeNull();
});

onBothDatabases("a run says which worker is too old for it", async (on) => {
  await transact(on.db, async (trx) => {
    await insertSampleRun(trx);
    await registerWorker(trx, { id: "a", version: "1.0.0", slots: 4, host: "mac" });
    await trx.updateTable("runs").set({ workerId: "a" }).execute();
  });
  expect([...(await olderWorkers(on.db.reader, ["run-1"]))]).toEqual([]);
  await needs(on, PROTOCOL + 1);
  expect([...(await olderWorkers(on.db.reader, ["run-1"]))]).toEqual([["run-1", "mac"]]);
});
