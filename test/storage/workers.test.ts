/** Registers the workers of one database, and tells who was seen when. */

import { expect } from "bun:test";
import type { Actor } from "../../src/domain/actor.ts";
import { renewLeases, takeLease } from "../../src/storage/tables/run-lease.ts";
import { beginDrain, endDrain, findWorker, noteRemoved, standingOf } from "../../src/storage/team/drains.ts";
import {
  changeWorker,
  listWorkers,
  moveWorker,
  registerWorker,
  workerNamed,
  workersOfAttempts,
} from "../../src/storage/team/workers.ts";
import { transact } from "../../src/storage/transact.ts";
import { onBothDatabases } from "../helpers/databases.ts";
import { insertSampleRun } from "./sample-rows.ts";

const ANN: Actor = { kind: "person", id: "p", name: "ann@x.example" };

onBothDatabases("a worker keeps its name, and two on one machine get two", async ({ db }) => {
  const register = (id: string, host: string, version = "1.0.0") =>
    transact(db, (trx) => registerWorker(trx, { id, version, slots: 4, host }));
  const first = await register("a", "Mac 7.local");
  expect(first).toMatchObject({ id: "a", name: "mac-7", slots: 4, agents: [], state: "ready" });
  expect((await register("b", "mac-7")).name).toBe("mac-7-2");
  const change = (agents: string[]) =>
    transact(db, (trx) => changeWorker(trx, { id: "a", agents, state: "stopped" }));
  expect([await change(["codex"]), await change(["codex"])]).toEqual([true, false]);
  expect(await transact(db, (trx) => changeWorker(trx, { id: "nobody", slots: 1 }))).toBe(false);
  const again = await register("a", "another-name", "1.1.0");
  expect(again).toMatchObject({ name: "mac-7", version: "1.1.0", agents: ["codex"], state: "ready" });
  expect(again.startedAt >= first.startedAt).toBe(true);
  expect((await listWorkers(db.reader)).map(({ name }) => name)).toEqual(["mac-7", "mac-7-2"]);
  expect([await workerNamed(db.reader, "b"), await workerNamed(db.reader, "c")]).toEqual(["mac-7-2", null]);
});

onBothDatabases("a worker that has stopped is not silent, and one that works was not", async ({ db }) => {
  await transact(db, (trx) => registerWorker(trx, { id: "a", version: "1.0.0", slots: 4, host: "one" }));
  const silent = () => transact(db, (trx) => moveWorker(trx, { id: "a", from: "ready", to: "silent" }));
  const there = () => transact(db, (trx) => moveWorker(trx, { id: "a", from: "silent", to: "ready" }));
  const state = async () => (await listWorkers(db.reader))[0]?.state;
  expect([await there(), await silent(), await silent(), await state()]).toEqual([
    false,
    true,
    false,
    "silent",
  ]);
  expect([await there(), await state()]).toEqual([true, "ready"]);
  await transact(db, (trx) => changeWorker(trx, { id: "a", state: "stopped" }));
  expect([await silent(), await there(), await state()]).toEqual([false, false, "stopped"]);
});

onBothDatabases(
  "a renewal of leases shows the worker on a Postgres; what it holds is counted",
  async ({ db }) => {
    await transact(db, async (trx) => {
      await insertSampleRun(trx);
      await registerWorker(trx, { id: "a", version: "1.0.0", slots: 4, host: "one" });
      await registerWorker(trx, { id: "b", version: "1.0.0", slots: 2, host: "two" });
      await takeLease(trx, { id: "run-1", owner: "a", forMs: 60_000 });
      await trx.updateTable("attempts").set({ workerId: "a" }).execute();
      await trx.updateTable("workers").set({ seenAt: "2026-01-02T12:00:00.000Z" }).execute();
    });
    await renewLeases(db, { owner: "a", forMs: 60_000 });
    await renewLeases(db, { owner: "nobody", forMs: 60_000 });
    const [one, two] = await listWorkers(db.reader);
    expect([one?.busy, one?.pinned, two?.busy, two?.pinned]).toEqual([1, 1, 0, 0]);
    const day = 24 * 3_600_000;
    const isSeen = db.kind === "postgres";
    expect([(one?.seenAgoMs ?? day) < day, (two?.seenAgoMs ?? 0) >= day]).toEqual([isSeen, true]);
    const among = ["attempt-1", "attempt-2"];
    expect([...(await workersOfAttempts(db.reader, { than: "b", among }))]).toEqual([
      ["attempt-1", { id: "a", name: "one" }],
    ]);
    expect((await workersOfAttempts(db.reader, { than: "a", among })).size).toBe(0);
  },
);

onBothDatabases("a drain is kept over a start, but not that of a worker that left", async ({ db }) => {
  const register = () =>
    transact(db, (trx) => registerWorker(trx, { id: "a", version: "1.0.0", slots: 4, host: "one" }));
  const drain = async (until: "resume" | "start", withinMs: number | null, actor: Actor | null = null) => {
    const worker = await findWorker(db.reader, "one");
    if (worker === null) throw new Error("it is not there");
    await transact(db, (trx) => beginDrain(trx, worker, { until, withinMs, actor }));
  };
  const standing = () => standingOf(db.reader, "a");
  await register();
  expect(await standing()).toEqual({
    begins: true,
    clockIsOff: false,
    stopsInMs: null,
    isRemoved: false,
    labels: [],
  });
  await drain("start", null);
  expect((await standing()).begins).toBe(false);
  await register();
  expect((await standing()).begins).toBe(true);

  await drain("resume", 3_600_000, ANN);
  const first = await findWorker(db.reader, "a");
  // A worker that leaves takes nothing away from what a person said, nor does a second request.
  await drain("start", null);
  await drain("resume", null, { ...ANN, name: "bob@x.example" });
  expect(await register()).toMatchObject({
    drainActor: ANN,
    drainingSince: first?.drainingSince,
    drainBy: first?.drainBy,
    drainUntil: "resume",
  });
  const { stopsInMs } = await standing();
  expect([(stopsInMs ?? 0) > 0, (stopsInMs ?? 0) <= 3_600_000]).toEqual([true, true]);
  const end = () => transact(db, (trx) => endDrain(trx, "a", "resume"));
  expect([await end(), await end(), (await standing()).begins]).toEqual([true, false, true]);
  expect((await findWorker(db.reader, "a"))?.drainActor).toBeNull();
});

onBothDatabases("a worker whose clock is more than a minute off begins nothing", async ({ db }) => {
  await transact(db, (trx) => registerWorker(trx, { id: "a", version: "1.0.0", slots: 4, host: "one" }));
  for (const [clockMs, begins] of [
    [60_000, true],
    [60_001, false],
    [-60_001, false],
    [-2_500, true],
  ] as const) {
    await transact(db, (trx) => changeWorker(trx, { id: "a", clockMs }));
    expect(await standingOf(db.reader, "a")).toMatchObject({ begins, clockIsOff: !begins });
  }
});

onBothDatabases(
  "the name of a removed worker may be taken again, and still names what it did",
  async ({ db }) => {
    const register = (id: string) =>
      transact(db, (trx) => registerWorker(trx, { id, version: "1.0.0", slots: 4, host: "one" }));
    await register("a");
    await transact(db, (trx) => noteRemoved(trx, "a"));
    expect(await standingOf(db.reader, "a")).toMatchObject({ begins: false, isRemoved: true });
    expect([await findWorker(db.reader, "one"), await listWorkers(db.reader)]).toEqual([null, []]);
    expect((await register("b")).name).toBe("one");
    expect((await findWorker(db.reader, "one"))?.id).toBe("b");
    expect(await workerNamed(db.reader, "a")).toBe("one");
  },
);
