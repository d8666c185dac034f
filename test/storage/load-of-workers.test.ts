/** Counts what the workers of one database have to do. */
import { expect } from "bun:test";
import { loadOfWorkers } from "../../src/storage/team/load-of-workers.ts";
import { registerWorker, workersOfAttempts } from "../../src/storage/team/workers.ts";
import { transact } from "../../src/storage/transact.ts";
import { onBothDatabases } from "../helpers/databases.ts";
import { insertSampleRun } from "./sample-rows.ts";

onBothDatabases("a run counts for its worker while it works or waits for a slot", async ({ db }) => {
  await transact(db, async (trx) => {
    await insertSampleRun(trx);
    for (const id of ["a", "b"]) await registerWorker(trx, { id, version: "1.0.0", slots: 4, host: id });
  });
  const busy = async (set: object) => {
    await transact(db, (trx) => trx.updateTable("runs").set(set).execute());
    return (await loadOfWorkers(db.reader)).map((worker) => worker.busy);
  };
  expect(await busy({ workerId: null })).toEqual([0, 0]);
  expect(await busy({ workerId: "b", status: "PENDING", phase: "queued" })).toEqual([0, 1]);
  expect(await busy({ status: "RUNNING", phase: "agent" })).toEqual([0, 1]);
  expect(await busy({ status: "RUNNING", phase: "waiting" })).toEqual([0, 0]);
  expect(await busy({ status: "PENDING", phase: "queued", held: 1 })).toEqual([0, 0]);
  expect(await busy({ held: 0, status: "COMMITTING", phase: null })).toEqual([0, 1]);
  expect(await busy({ status: "SUCCEEDED" })).toEqual([0, 0]);
});

onBothDatabases(
  "an attempt that was placed and has no files yet is on the worker of its run",
  async ({ db }) => {
    await transact(db, async (trx) => {
      await insertSampleRun(trx);
      await registerWorker(trx, { id: "b", version: "1.0.0", slots: 4, host: "ci-2" });
    });
    const on = async (set: { readonly attempts: string | null; readonly runs: string | null }) => {
      await transact(db, async (trx) => {
        await trx.updateTable("attempts").set({ workerId: set.attempts }).execute();
        await trx.updateTable("runs").set({ workerId: set.runs }).execute();
      });
      const found = await workersOfAttempts(db.reader, { than: "a", among: ["attempt-1"] });
      return found.get("attempt-1") ?? null;
    };
    const other = { id: "b", name: "ci-2" };
    expect(await on({ attempts: null, runs: "b" })).toEqual(other);
    expect(await on({ attempts: "b", runs: "a" })).toEqual(other);
    expect(await on({ attempts: "a", runs: "b" })).toBeNull();
    expect(await on({ attempts: null, runs: "a" })).toBeNull();
    expect(await on({ attempts: null, runs: null })).toBeNull();
  },
);
