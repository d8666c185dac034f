/** Holds which attempts are copied without being told of, how often, and in which order if copies fail. */
import { expect, test } from "bun:test";
import type { ServiceContext } from "../../src/services/core/context.ts";
import { copyResting } from "../../src/services/depot/copy-resting.ts";
import type { HeldRun } from "../../src/services/depot/protect-attempt.ts";
import { type CopyTries, createCopyTries } from "../../src/services/depot/try-copies.ts";
import { databaseTime } from "../../src/storage/schema/database-time.ts";
import type { Database } from "../../src/storage/schema/opened-database.ts";
import type { WriteTransaction } from "../../src/storage/schema/schema.ts";
import { insertAttempt } from "../../src/storage/tables/attempts.ts";
import { dropSnapshots, insertSnapshot } from "../../src/storage/tables/snapshots.ts";
import { setDepot } from "../../src/storage/team/depot.ts";
import { noteProtected, noteUnprotected } from "../../src/storage/team/protections.ts";
import { transact } from "../../src/storage/transact.ts";
import { onBothDatabases } from "../helpers/databases.ts";
import { insertSampleRun, NOON, sampleAttempt } from "../storage/sample-rows.ts";

const DAY_MS = 24 * 3_600_000;
const worker = "a";

/** Attempts that worker `a` holds, each with one snapshot whose commit is its id, and which ended just now. */
async function ended(db: Database, ids: readonly string[]): Promise<void> {
  await transact(db, async (trx) => {
    await insertSampleRun(trx);
    await setDepot(trx, { kind: "elsewhere", url: "file:///depot" });
    await trx.updateTable("repositories").set({ address: "git.example/garden" }).execute();
    for (const id of ids) {
      await insertAttempt(trx, { ...sampleAttempt, id, worktree: `/data/${id}`, branch: id });
      await keep(trx, { id, number: 1, commit: id });
    }
    const now = databaseTime(trx);
    await trx.updateTable("attempts").set({ workerId: worker, state: "removed", endedAt: now }).execute();
  });
}

function keep(trx: WriteTransaction, { id, number, commit }: { id: string; number: number; commit: string }) {
  return insertSnapshot(trx, {
    ...{ attemptId: id, number, runId: null, ref: `refs/tazuna/snapshots/${id}/${number}`, commit },
    ...{ reason: "cancel", notContained: [], createdAt: NOON, droppedAt: null },
  });
}

/** Looks, and says which attempts were tried; those that `fail` name do. */
function looking(
  db: Database,
  { fail = () => false }: { readonly fail?: (attempt: string) => boolean } = {},
) {
  const failed = new Map<string, number>();
  let tried: string[] = [];
  const tries: CopyTries = {
    isDue: () => true,
    failures: (attempt) => failed.get(attempt) ?? 0,
    begin: async (attempt) => {
      tried.push(attempt);
      if (fail(attempt)) failed.set(attempt, (failed.get(attempt) ?? 0) + 1);
    },
    ended: async () => undefined,
  };
  const settled = new Map<string, string>();
  const context = {
    ...{ db, timing: { trashKeepMs: 14 * DAY_MS }, engineStop: new AbortController().signal },
  } as unknown as ServiceContext;
  return async (held: readonly string[] = []) => {
    tried = [];
    await copyResting(context, { worker, tries, settled }, new Map(held.map((id) => [id, null])));
    return tried.toSorted();
  };
}

onBothDatabases(
  "what ended lately is copied once, if the depot lacks its newest snapshot",
  async ({ db }) => {
    const ids = ["copied", "dropped", "elsewhere", "never", "newer", "old"];
    await ended(db, ids);
    await transact(db, async (trx) => {
      const copy = { tree: "t", base: null, runId: null };
      for (const id of ["copied", "dropped", "newer"])
        await noteProtected(trx, { attemptId: id, worker, lease: null }, { ...copy, ref: id, sha: id });
      await keep(trx, { id: "dropped", number: 2, commit: "gone" });
      await dropSnapshots(trx, { attemptId: "dropped", numbers: [2], at: NOON });
      await keep(trx, { id: "newer", number: 2, commit: "second" });
      const attempts = (id: string) => trx.updateTable("attempts").where("id", "=", id);
      await attempts("elsewhere").set({ workerId: "b" }).execute();
      await attempts("old")
        .set({ endedAt: databaseTime(trx, -15 * DAY_MS) })
        .execute();
    });
    const look = looking(db);
    expect(await look(["never"])).toEqual(["newer"]);
    // A try that failed neither way, and changed no row, is not repeated. A newer snapshot is one more thing.
    expect(await look()).toEqual(["never"]);
    expect(await look()).toEqual([]);
    await transact(db, (trx) => keep(trx, { id: "never", number: 2, commit: "second" }));
    expect(await look()).toEqual(["never"]);
    // An engine that starts knows nothing of earlier tries.
    expect(await looking(db)()).toEqual(["never", "newer"]);
    await transact(db, (trx) => trx.updateTable("repositories").set({ address: null }).execute());
    expect(await looking(db)()).toEqual([]);
    await transact(db, async (trx) => {
      await trx.updateTable("repositories").set({ address: "git.example/garden" }).execute();
      await setDepot(trx, null);
    });
    expect(await looking(db)()).toEqual([]);
  },
);

onBothDatabases("an open attempt that is unprotected is tried at each look", async ({ db }) => {
  await ended(db, ["open"]);
  await transact(db, async (trx) => {
    await trx.updateTable("attempts").set({ state: "open", endedAt: null }).execute();
    await noteUnprotected(trx, { attemptId: "open", worker, lease: null }, "away");
  });
  const look = looking(db);
  expect(await look()).toEqual(["open"]);
  expect(await look()).toEqual(["open"]);
  expect(await look(["open"])).toEqual([]);
});

onBothDatabases(
  "a depot that is away is asked a few times only, and each attempt has its turn",
  async ({ db }) => {
    const ids = Array.from({ length: 12 }, (_, index) => `attempt-${String(index + 10)}`);
    await ended(db, ids);
    const look = looking(db, { fail: (attempt) => attempt !== "attempt-21" });
    const all = [await look(), await look(), await look()];
    expect(all.map(({ length }) => length <= 6)).toEqual([true, true, true]);
    expect(new Set(all.flat())).toEqual(new Set(ids));
  },
);

test("a copy that throws rests before the next try, unless a run works on the files", async () => {
  const thrown: unknown[] = [];
  const context = {
    ...{ timing: { depotMs: 60_000 }, git: {}, fence: { isOver: () => false } },
    ownDepot: { turns: { run: () => Promise.reject(new Error("no such clone")) } },
    reportFault: (_: string, error: unknown) => void thrown.push(error),
  } as unknown as ServiceContext;
  const tries = createCopyTries(context);
  const begin = async (attempt: string, lease: HeldRun) => {
    await tries.begin(attempt, lease);
    return { isDue: tries.isDue(attempt), failures: tries.failures(attempt) };
  };
  expect(await begin("at rest", null)).toEqual({ isDue: false, failures: 1 });
  expect(await begin("at rest", null)).toEqual({ isDue: false, failures: 1 });
  expect(await begin("at work", { id: "run-1", epoch: 1 })).toEqual({ isDue: true, failures: 0 });
  expect(thrown).toHaveLength(2);
});
