/** Lets two workers take runs at the same moment, again and again: together they never pass a limit that they share. */
import { expect } from "bun:test";
import { createNotifier, type ServiceContext } from "../../src/services/core/context.ts";
import { keepLease, type WantedSlot } from "../../src/services/run-core/keep-lease.ts";
import { assignRuns } from "../../src/storage/queries/rows-of-worker.ts";
import type { Database } from "../../src/storage/schema/opened-database.ts";
import { insertAttempt } from "../../src/storage/tables/attempts.ts";
import { slotsInUse } from "../../src/storage/tables/run-lease.ts";
import { insertRun } from "../../src/storage/tables/runs.ts";
import { transact } from "../../src/storage/transact.ts";
import { systemClock } from "../../src/utils/time/clock.ts";
import { onBothDatabases } from "../helpers/databases.ts";
import { unfenced } from "../helpers/unfenced.ts";
import { insertSampleRun, sampleAttempt, sampleRun } from "../storage/sample-rows.ts";

const ROUNDS = 30;
const RUNS = 4;
const WORKERS = ["a", "b"];
const limits = { parallel: RUNS, perRepository: 3, perLogin: 2 };

function contextOf(db: Database, owner: string): ServiceContext {
  return {
    ...{ db, owner, clock: systemClock, newFacts: createNotifier(), leases: new Map() },
    ...{ timing: { leaseMs: 600_000 }, ...unfenced() },
  } as unknown as ServiceContext;
}

/** Queued runs of attempts of their own, for each worker. */
async function addRuns(db: Database, round: number): Promise<readonly { id: string; worker: string }[]> {
  const runs = WORKERS.flatMap((worker) =>
    Array.from({ length: RUNS }, (_, n) => ({ id: `run-${round}-${worker}-${n}`, worker })),
  );
  await transact(db, async (trx) => {
    for (const { id, worker } of runs) {
      const own = { id: `attempt-of-${id}`, branch: `tazuna/${id}`, worktree: `/data/worktrees/${id}` };
      await insertAttempt(trx, { ...sampleAttempt, ...own });
      await insertRun(trx, { ...sampleRun, id, attemptId: own.id });
      await assignRuns(trx, { ids: [id], worker });
    }
  });
  return runs;
}

onBothDatabases(
  "two workers together never pass the limit of a repository or of a login, and what is over makes room",
  async ({ db, open }) => {
    // An SQLite has no second worker.
    if (db.kind === "sqlite") return;
    await transact(db, insertSampleRun);
    const contexts = new Map([
      ["a", contextOf(db, "a")],
      ["b", contextOf(await open(), "b")],
    ]);
    const take = async (run: { id: string; worker: string }, slot: Omit<WantedSlot, "limits">) => {
      const lease = await keepLease(contexts.get(run.worker) as ServiceContext, run.id, {
        inTurn: true,
        slot: { ...slot, limits },
      });
      return lease === null ? [] : [lease];
    };
    const taken: number[][] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const runs = await addRuns(db, round);
      // In one half of the rounds the repository is full first, in the other one the login.
      const slot = (n: number) => ({ repositoryKey: "r", login: round % 2 === 0 ? `login-${n}` : "shared" });
      const order = round % 4 < 2 ? runs : runs.toReversed();
      const leases = (await Promise.all(order.map((run, n) => take(run, slot(n))))).flat();
      taken.push([leases.length, (await slotsInUse(db.reader)).length]);
      const wide = { repositoryKey: "another", login: null };
      const [first] = leases;
      await first?.release();
      for (const { leases: held } of contexts.values()) held.clear();
      const left = await Promise.all(order.slice(0, 1).map((run) => take(run, wide)));
      expect(left.flat()).toHaveLength(1);
      await transact(db, (trx) => trx.updateTable("runs").set({ status: "SUCCEEDED" }).execute());
      for (const { leases: held } of contexts.values()) held.clear();
    }
    expect(taken).toEqual(taken.map((_, round) => (round % 2 === 0 ? [3, 3] : [2, 2])));
  },
  { timeoutMs: 180_000 },
);
