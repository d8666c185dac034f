import { describe, expect } from "bun:test";
import { insertAttempt } from "../../src/storage/tables/attempts.ts";
import { takeLease } from "../../src/storage/tables/run-lease.ts";
import { requestStop, updateRun } from "../../src/storage/tables/run-moves.ts";
import { freeQueued, isItsTurn, orderRuns, positionsInQueue } from "../../src/storage/tables/run-queue.ts";
import { getRun, insertRun, runsOfAttempt, unfinishedRuns } from "../../src/storage/tables/runs.ts";
import { transact } from "../../src/storage/transact.ts";
import { onBothDatabases, type TestDatabase } from "../helpers/databases.ts";
import { insertSampleRun, sampleAttempt, sampleRun } from "./sample-rows.ts";

/** `run-1`, `a`, `b` and `c` in one attempt; `x` between them in another one. */
async function queued({ db }: TestDatabase): Promise<void> {
  await transact(db, async (trx) => {
    await insertSampleRun(trx);
    await insertAttempt(trx, { ...sampleAttempt, id: "attempt-2", worktree: "/data/worktrees/2" });
    await insertRun(trx, { ...sampleRun, id: "a" });
    await insertRun(trx, { ...sampleRun, id: "x", attemptId: "attempt-2" });
    for (const id of ["b", "c"]) await insertRun(trx, { ...sampleRun, id });
  });
}

const idsOf = (runs: readonly { readonly id: string }[]) => runs.map(({ id }) => id).join(" ");

describe("the order of an attempt's queue", () => {
  onBothDatabases("changes among the places that the attempt has, and numbers stay", async (on) => {
    await queued(on);
    await transact(on.db, (trx) => orderRuns(trx, ["c", "run-1", "b", "a"]));
    expect(idsOf(await unfinishedRuns(on.db.reader))).toBe("c run-1 x b a");
    const runs = await runsOfAttempt(on.db.reader, "attempt-1");
    expect(runs.map(({ id, number }) => `${id}#${number}`).join(" ")).toBe("c#4 run-1#1 b#3 a#2");
    await transact(on.db, (trx) => insertRun(trx, { ...sampleRun, id: "d" }));
    expect(idsOf(await unfinishedRuns(on.db.reader))).toBe("c run-1 x b a d");
  });

  onBothDatabases("is told by places, without runs that begin or are to end", async (on) => {
    await queued(on);
    await transact(on.db, async (trx) => {
      await takeLease(trx, { id: "run-1", owner: "engine", forMs: 60_000 });
      await requestStop(trx, "b", "stop");
    });
    const positions = await positionsInQueue(on.db.reader, ["attempt-1", "attempt-2"]);
    expect(Object.fromEntries(positions)).toEqual({ a: 1, c: 2, x: 1 });
    await transact(on.db, (trx) => freeQueued(trx, null));
    expect((await getRun(on.db.reader, "run-1"))?.lease).toBeNull();
    expect([...(await positionsInQueue(on.db.reader, ["attempt-1"]))][0]).toEqual(["run-1", 1]);
  });

  onBothDatabases("says whose turn it is; held runs are passed and stand behind from then on", async (on) => {
    await queued(on);
    const turn = async (id: string) => {
      const run = await getRun(on.db.reader, id);
      return run !== null && transact(on.db, (trx) => isItsTurn(trx, run));
    };
    expect([await turn("a"), await turn("run-1"), await turn("x")]).toEqual([false, true, true]);
    await transact(on.db, async (trx) => {
      for (const id of ["run-1", "a"])
        await updateRun(trx, { id, expect: { epoch: null }, set: { held: true } });
    });
    expect([await turn("run-1"), await turn("c"), await turn("b")]).toEqual([false, false, true]);
    expect(idsOf(await runsOfAttempt(on.db.reader, "attempt-1"))).toBe("b run-1 a c");
    // To end it, no turn is needed.
    await transact(on.db, (trx) => requestStop(trx, "c", "stop"));
    expect(await turn("c")).toBe(true);
  });
});
