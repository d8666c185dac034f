/** Lets a person change a queued run at the moment at which it begins: exactly one of the two wins, every time. */
import { expect } from "bun:test";
import { createNotifier, type ServiceContext } from "../../src/services/core/context.ts";
import { changeQueued } from "../../src/services/queue/change-queued.ts";
import { removeQueued } from "../../src/services/queue/remove-queued.ts";
import { keepLease } from "../../src/services/run-core/keep-lease.ts";
import type { Database } from "../../src/storage/schema/opened-database.ts";
import { moveRun } from "../../src/storage/tables/run-moves.ts";
import { getRun, insertRun, runsOfAttempt } from "../../src/storage/tables/runs.ts";
import { transact } from "../../src/storage/transact.ts";
import { systemClock } from "../../src/utils/time/clock.ts";
import { onBothDatabases, type TestDatabase } from "../helpers/databases.ts";
import { unfenced } from "../helpers/unfenced.ts";
import { insertSampleRun, sampleRun } from "../storage/sample-rows.ts";

const ROUNDS = 40;
const QUEUED = { status: "PENDING", phase: "queued" } as const;

function contextOf(db: Database): ServiceContext {
  return {
    db,
    clock: systemClock,
    newFacts: createNotifier(),
    dispatcher: () => ({ poke: () => undefined }),
    shells: { release: () => undefined },
    owner: "engine",
    leases: new Map(),
    ...{ timing: { leaseMs: 60_000 }, ...unfenced() },
    reportFault: (_what: string, error: unknown) => {
      throw error;
    },
  } as unknown as ServiceContext;
}

/** Both are served by the one engine of the data folder. */
async function sides({ db }: TestDatabase) {
  await transact(db, insertSampleRun);
  return { person: contextOf(db), engine: contextOf(db) };
}

/** Both at once, one or the other asked first. What was begun is ended again. */
async function atOnce<T>(
  { engine, person }: Awaited<ReturnType<typeof sides>>,
  {
    id,
    round,
    act,
  }: { readonly id: string; readonly round: number; readonly act: (it: ServiceContext) => Promise<T> },
) {
  const begin = () => keepLease(engine, id, { inTurn: true });
  const both =
    round % 2 === 0 ? ([begin(), act(person)] as const) : ([act(person), begin()].toReversed() as never);
  const [lease, acted] = (await Promise.all(both)) as [Awaited<ReturnType<typeof begin>>, T];
  const run = await getRun(engine.db.reader, id);
  if (run === null) throw new Error(`no run ${id}`);
  await lease?.release();
  return { began: lease !== null, acted, run };
}

function addRun({ engine }: Awaited<ReturnType<typeof sides>>, id: string) {
  return transact(engine.db, (trx) => insertRun(trx, { ...sampleRun, id, instruction: "old" }));
}

function end({ engine }: Awaited<ReturnType<typeof sides>>, id: string) {
  const to = { status: "CANCELED", phase: null } as const;
  return transact(engine.db, (trx) => moveRun(trx, { id, expect: { ...QUEUED, epoch: null }, to }));
}

onBothDatabases("an edit is what the run begins with, or it is refused because the run began", async (on) => {
  const both = await sides(on);
  await end(both, "run-1");
  const outcomes = new Set<string>();
  for (let round = 0; round < ROUNDS; round++) {
    const id = `edited-${round}`;
    await addRun(both, id);
    const act = (it: ServiceContext) => changeQueued(it, { run: id, instruction: "new", position: null });
    const { began, acted, run } = await atOnce(both, { id, round, act });
    const told = acted.match(
      () => "edited",
      ({ code }) => code,
    );
    expect([began, run.instruction]).toEqual([true, told === "edited" ? "new" : "old"]);
    outcomes.add(told);
    await end(both, id);
  }
  expect([...outcomes].toSorted()).toEqual(["edited", "run_began"]);
});

onBothDatabases("a run is removed and never begins, or begins and is not removed", async (on) => {
  const both = await sides(on);
  await end(both, "run-1");
  const outcomes = new Set<string>();
  for (let round = 0; round < ROUNDS; round++) {
    const id = `removed-${round}`;
    await addRun(both, id);
    const { began, acted, run } = await atOnce(both, { id, round, act: (it) => removeQueued(it, id) });
    const told = acted.match(
      () => "removed",
      ({ code }) => code,
    );
    expect([began, run.status]).toEqual(told === "removed" ? [false, "CANCELED"] : [true, "PENDING"]);
    outcomes.add(told);
    if (began) await end(both, id);
  }
  expect([...outcomes].toSorted()).toEqual(["removed", "run_began"]);
});

onBothDatabases(
  "a run that another one was put before does not begin; one that began stays before it",
  async (on) => {
    const both = await sides(on);
    await end(both, "run-1");
    const outcomes = new Set<boolean>();
    for (let round = 0; round < ROUNDS; round++) {
      const [id, other] = [`first-${round}`, `second-${round}`];
      await addRun(both, id);
      await addRun(both, other);
      const act = (it: ServiceContext) => changeQueued(it, { run: other, instruction: null, position: 1 });
      const { began, acted } = await atOnce(both, { id, round, act });
      const order = (await runsOfAttempt(both.engine.db.reader, sampleRun.attemptId)).slice(-2);
      expect([acted.isOk(), ...order.map((run) => run.id)]).toEqual([
        true,
        ...(began ? [id, other] : [other, id]),
      ]);
      outcomes.add(began);
      await end(both, id);
      await end(both, other);
    }
    expect(outcomes.size).toBe(2);
  },
);
