/** Lets a drain meet an engine that takes runs, again and again: what is taken was taken before the drain was stored. */
import { expect } from "bun:test";
import { randomUUIDv7 } from "bun";
import { createNotifier, type ServiceContext } from "../../src/services/core/context.ts";
import { keepLease } from "../../src/services/run-core/keep-lease.ts";
import { drainWorker, resumeWorker } from "../../src/services/workers/drain-worker.ts";
import { assignRuns } from "../../src/storage/queries/rows-of-worker.ts";
import type { Database } from "../../src/storage/schema/opened-database.ts";
import { insertAttempt } from "../../src/storage/tables/attempts.ts";
import { insertRun } from "../../src/storage/tables/runs.ts";
import { registerWorker } from "../../src/storage/team/workers.ts";
import { transact } from "../../src/storage/transact.ts";
import { systemClock } from "../../src/utils/time/clock.ts";
import { onBothDatabases } from "../helpers/databases.ts";
import { unfenced } from "../helpers/unfenced.ts";
import { insertSampleRun, sampleAttempt, sampleRun } from "../storage/sample-rows.ts";

const ROUNDS = 40;
const RUNS = 6;
const LEASE_MS = 600_000;

function contextOf(db: Database, owner: string) {
  return {
    ...{ db, owner, clock: systemClock, newId: randomUUIDv7, actor: null },
    ...{ newFacts: createNotifier(), leases: new Map() },
    ...{ timing: { leaseMs: LEASE_MS }, ...unfenced() },
    team: () => ({ tell: async () => undefined, placeSoon: async () => undefined }),
    dispatcher: () => ({ poke: () => undefined }),
    reportFault: (what: string, error: unknown) => {
      throw new Error(what, { cause: error });
    },
  } as unknown as ServiceContext;
}

/** Queued runs of attempts of their own, which the worker `a` drives. */
async function addRuns(db: Database, round: number): Promise<readonly string[]> {
  const ids = Array.from({ length: RUNS }, (_, index) => `run-${round}-${index}`);
  await transact(db, async (trx) => {
    for (const id of ids) {
      const attemptId = `attempt-of-${id}`;
      const own = { branch: `tazuna/${id}`, worktree: `/data/worktrees/${id}` };
      await insertAttempt(trx, { ...sampleAttempt, ...own, id: attemptId });
      await insertRun(trx, { ...sampleRun, id, attemptId });
    }
    await assignRuns(trx, { ids, worker: "a" });
  });
  return ids;
}

onBothDatabases(
  "nothing is taken after a drain was stored, in any order of the two",
  async ({ db, open }) => {
    // An SQLite has no other engine that could ask.
    if (db.kind === "sqlite") return;
    const [engine, asked] = [contextOf(db, "a"), contextOf(await open(), "b")];
    await transact(db, async (trx) => {
      await insertSampleRun(trx);
      for (const id of ["a", "b"])
        await registerWorker(trx, { id, version: "1.0.0", slots: 4, host: `host-${id}` });
    });
    const late: string[] = [];
    let taken = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const ids = await addRuns(db, round);
      const drain = async () => {
        const answer = await drainWorker(asked, { worker: "host-a", withinMs: null, until: "resume" });
        return answer._unsafeUnwrap().drain?.since ?? "";
      };
      const take = (id: string) => keepLease(engine, id, { inTurn: true });
      // Some are surely taken before, in the second round. In the others the drain comes between any two.
      if (round === 1) await Promise.all(ids.slice(0, 2).map(take));
      const first = ids.slice(0, round % (RUNS + 1)).map(take);
      const draining = drain();
      const rest = ids.slice(first.length).map(take);
      const since = await draining;
      await Promise.all([...first, ...rest]);
      const rows = await db.reader
        .selectFrom("runs")
        .select(["id", "leaseUntil"])
        .where("id", "in", ids)
        .where("leaseOwner", "=", "a")
        .execute();
      for (const { id, leaseUntil } of rows)
        if (Date.parse(leaseUntil ?? "") - LEASE_MS > Date.parse(since)) late.push(id);
      taken += rows.length;
      // Nothing more is taken while it lasts, and all of it once it is over.
      const again = await Promise.all(ids.filter((id) => !engine.leases.has(id)).map(take));
      expect(again.filter((lease) => lease !== null)).toEqual([]);
      (await resumeWorker(asked, "a"))._unsafeUnwrap();
      for (const id of ids) if (!engine.leases.has(id)) expect(await take(id)).not.toBeNull();
      engine.leases.clear();
      await transact(db, (trx) =>
        trx.updateTable("runs").set({ status: "SUCCEEDED", leaseOwner: null, leaseUntil: null }).execute(),
      );
    }
    expect(late).toEqual([]);
    expect(taken).toBeGreaterThan(0);
  },
  { timeoutMs: 180_000 },
);
