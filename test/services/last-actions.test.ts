/** Stores what agents did last in batches: few transactions, fenced, and in order with the moves of a run. */
import { expect } from "bun:test";
import { createNotifier, type ServiceContext } from "../../src/services/core/context.ts";
import { createLastActions } from "../../src/services/runs/agent/last-actions.ts";
import type { Database } from "../../src/storage/schema/opened-database.ts";
import { insertAttempt } from "../../src/storage/tables/attempts.ts";
import { factsAfter } from "../../src/storage/tables/facts.ts";
import { takeLease } from "../../src/storage/tables/run-lease.ts";
import { insertRun } from "../../src/storage/tables/runs.ts";
import { registerWorker } from "../../src/storage/team/workers.ts";
import { transact } from "../../src/storage/transact.ts";
import { systemClock } from "../../src/utils/time/clock.ts";
import { onBothDatabases, onPostgresAlone } from "../helpers/databases.ts";
import { waitFor } from "../helpers/wait-for.ts";
import { insertSampleRun, sampleAttempt, sampleRun, sampleTask } from "../storage/sample-rows.ts";

const HOUR = 3_600_000;
/** Of the workers that each write a batch at every pause. */
const FOUR_TIMES_AS_MANY = 160;

/** Batches are counted by what subscribers are told: once for each. */
function start(db: Database, actionFactMs: number) {
  const newFacts = createNotifier();
  const faults: string[] = [];
  const seen = { batches: 0 };
  newFacts.subscribe(() => {
    seen.batches += 1;
  });
  const context = {
    ...{ db, newFacts, clock: systemClock, timing: { actionFactMs } },
    reportFault: (what: string) => void faults.push(what),
  } as unknown as ServiceContext;
  return { actions: createLastActions(context), seen, faults };
}

/** Runs whose leases `a` holds with epoch 1. */
async function begin(db: Database, ids: readonly string[]): Promise<void> {
  await transact(db, async (trx) => {
    await insertSampleRun(trx);
    for (const id of ids) {
      const attemptId = `attempt-of-${id}`;
      const own = { branch: `tazuna/${id}`, worktree: `/data/worktrees/${id}` };
      await insertAttempt(trx, { ...sampleAttempt, ...own, id: attemptId });
      await insertRun(trx, { ...sampleRun, id, attemptId });
    }
  });
  for (const id of ids) await lease(db, id, "a");
}

const lease = (db: Database, id: string, owner: string) =>
  transact(db, (trx) => takeLease(trx, { id, owner, forMs: -1 }));

const told = (runId: string, title: string, kind = "run.action") => ({
  epoch: 1,
  fact: { kind, taskId: sampleTask.id, attemptId: `attempt-of-${runId}`, runId, data: { title } },
});

async function titles(db: Database): Promise<readonly string[]> {
  return (await factsAfter(db.reader, 0, 1_000)).map(({ runId, data }) => `${runId}: ${data.title}`);
}

onBothDatabases("fifty runs that tell ten things each need two transactions", async ({ db }) => {
  const ids = Array.from({ length: 50 }, (_, index) => `run-of-${index}`);
  await begin(db, ids);
  const { actions, seen, faults } = start(db, HOUR);
  actions.tell(told("run-of-0", "first"));
  await waitFor("the first one at once", async () => (await titles(db)).length === 1);
  for (let round = 0; round < 10; round++) for (const id of ids) actions.tell(told(id, `step ${round}`));
  // It comes after whatever would be written at once.
  const other = start(db, 0);
  other.actions.tell(told("run-of-1", "other"));
  await waitFor("another engine to write", async () => (await titles(db)).includes("run-of-1: other"));
  const before = ["run-of-0: first", "run-of-1: other"];
  expect(await titles(db)).toEqual(before);
  await actions.flush("run-of-7");
  expect(await titles(db)).toEqual([...before, ...ids.map((id) => `${id}: step 9`)]);
  expect([seen.batches, faults]).toEqual([2, []]);
});

onBothDatabases(
  "what a run tells of two kinds is kept, and a later batch comes by itself",
  async ({ db }) => {
    await begin(db, ["one"]);
    const { actions } = start(db, 50);
    actions.tell(told("one", "works"));
    actions.tell(told("one", "used", "run.usage"));
    await waitFor("both", async () => (await titles(db)).length === 2);
    actions.tell(told("one", "goes on"));
    await waitFor("the later one", async () => (await titles(db)).length === 3);
    expect(await titles(db)).toEqual(["one: works", "one: used", "one: goes on"]);
  },
);

onBothDatabases("a run that another owner took, or that ended, gets nothing more", async ({ db }) => {
  await begin(db, ["mine", "taken", "ended"]);
  await lease(db, "taken", "b");
  await db.writes.kysely.updateTable("runs").set({ status: "SUCCEEDED" }).where("id", "=", "ended").execute();
  const { actions, faults } = start(db, HOUR);
  for (const id of ["taken", "mine", "ended"]) actions.tell(told(id, "late"));
  await actions.flush("mine");
  expect([await titles(db), faults]).toEqual([["mine: late"], []]);
});

onBothDatabases("a flush waits for the batch that is being written", async ({ db }) => {
  await begin(db, ["one"]);
  const { actions } = start(db, HOUR);
  let free: () => void = () => undefined;
  const freed = new Promise<void>((resolve) => {
    free = resolve;
  });
  const held = transact(db, () => freed);
  actions.tell(told("one", "last"));
  const first = actions.flush("one");
  expect(await titles(db)).toEqual([]);
  // It finds nothing left to write, since the first one took it.
  const seen = actions.flush("one").then(() => titles(db));
  expect(await titles(db)).toEqual([]);
  free();
  expect(await seen).toEqual(["one: last"]);
  await Promise.all([held, first]);
});

onPostgresAlone("each of very many workers writes less often than one of few", async ({ db }) => {
  await begin(db, ["one"]);
  await transact(db, async (trx) => {
    const host = "mac";
    for (let n = 0; n < FOUR_TIMES_AS_MANY; n++)
      await registerWorker(trx, { id: `worker-${n}`, host, version: "0.1.0", slots: 1 });
  });
  const { actions } = start(db, 250);
  const writtenAt = async (title: string) => {
    actions.tell(told("one", title));
    await waitFor(title, async () => (await titles(db)).includes(`one: ${title}`));
    return performance.now();
  };
  // The workers are counted when the first one is told.
  await writtenAt("first");
  const second = await writtenAt("second");
  expect((await writtenAt("third")) - second).toBeGreaterThan(600);
});

onBothDatabases("a batch that fails is reported, and the next one is written", async ({ db }) => {
  await begin(db, ["one"]);
  const { actions, faults } = start(db, HOUR);
  actions.tell({ epoch: 1, fact: { ...told("one", "lost").fact, data: { title: 1n } } });
  await actions.flush("one");
  expect(faults).toEqual(["following runs"]);
  actions.tell(told("one", "kept"));
  await actions.flush("one");
  expect(await titles(db)).toEqual(["one: kept"]);
});
