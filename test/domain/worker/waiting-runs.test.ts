/** Tries every rule by which a worker takes runs that wait on another one. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  isForOneWithoutClone,
  type MovableRun,
  notedWaiting,
  offersOf,
  readWaiting,
  roomAt,
  runsFor,
  type TeamWorker,
  withPlanned,
} from "../../../src/domain/worker/waiting-runs.ts";

const here: TeamWorker = {
  id: "b",
  slots: 2,
  busy: 0,
  agents: ["codex"],
  labels: ["gpu"],
  protocol: 1,
  state: "ready",
  isThere: true,
  drains: false,
  repositories: new Set(["host/us/shop"]),
};
const full: TeamWorker = { ...here, id: "a", busy: 2 };
const run: MovableRun = {
  id: "r",
  worker: "a",
  waits: { reason: "parallel", sharedLogin: false },
  agent: "codex",
  needs: 1,
  repository: "host/us/shop",
  labels: ["gpu"],
  refusedBy: [],
  unclonedAt: [],
  waitsAt: [],
};
const waits = (reason: NonNullable<MovableRun["waits"]>["reason"], sharedLogin = false) => ({
  ...run,
  waits: { reason, sharedLogin },
});
const taken = (runs: readonly MovableRun[], worker = here, holder = full) =>
  runsFor(worker, [holder, worker], runs).map(({ id }) => id);

test("as many as have a slot there, in the order of the queue", () => {
  const three = ["1", "2", "3"].map((id) => ({ ...run, id }));
  expect(taken(three)).toEqual(["1", "2"]);
  expect(taken(three, { ...here, busy: 1 })).toEqual(["1"]);
  expect(taken(three, { ...here, busy: 3 })).toEqual([]);
});

test("what would wait there too, or is about to begin where it is, stays", () => {
  for (const reason of ["parallel", "disk", "clone", "per_login", "labels"] as const)
    expect(taken([waits(reason)])).toEqual(["r"]);
  for (const reason of ["per_repository", "login", "attempt", "draining"] as const)
    expect(taken([waits(reason)])).toEqual([]);
  expect(taken([waits("per_login", true)])).toEqual([]);
  expect(taken([{ ...run, waits: null }])).toEqual([]);
});

test("an older program gets nothing newer, and what waits there goes to a newer one", () => {
  const newer = { ...run, needs: 2 };
  const next = { ...here, protocol: 2 };
  expect(taken([newer])).toEqual([]);
  expect(taken([{ ...newer, waits: null }], next)).toEqual(["r"]);
  expect(taken([{ ...newer, waits: null }], next, { ...full, protocol: 2 })).toEqual([]);
});

test("whatever waits for a worker that drains, is silent or stopped, may go", () => {
  for (const away of [{ drains: true }, { state: "silent" }, { state: "stopped" }] as const)
    for (const one of [run, waits("per_repository"), { ...run, waits: null }])
      expect(taken([one], here, { ...full, ...away })).toEqual(["r"]);
  // Its engine is gone, and nobody has noticed yet: it may be starting again.
  expect(taken([{ ...run, waits: null }], here, { ...full, isThere: false })).toEqual([]);
});

test("who is away, drains, has no clone or no such agent, or refused it, gets nothing", () => {
  const lacks: readonly Partial<TeamWorker>[] = [
    { isThere: false },
    { state: "silent" },
    { drains: true },
    { agents: [] },
    { labels: ["mac"] },
    { repositories: new Set() },
  ];
  for (const one of lacks) expect(taken([run], { ...here, ...one })).toEqual([]);
  expect(taken([{ ...run, refusedBy: ["b"] }])).toEqual([]);
  expect(taken([{ ...run, worker: "b" }])).toEqual([]);
  expect(runsFor(here, [here], [run])).toEqual([]);
});

const cloned: TeamWorker = { ...here, id: "c", protocol: 2 };
const fresh: TeamWorker = { ...cloned, id: "d", repositories: new Set() };
const takenBy = (team: readonly TeamWorker[], runs: readonly MovableRun[]) =>
  Object.fromEntries(team.map((one) => [one.id, runsFor(one, [full, ...team], runs).map(({ id }) => id)]));

test("one without a clone takes what those with a clone have no slot for, unless its program is older", () => {
  const three = ["1", "2", "3"].map((id) => ({ ...run, id }));
  expect(takenBy([fresh, cloned], three)).toEqual({ c: ["1", "2"], d: ["3"] });
  expect(takenBy([fresh, cloned], [run])).toEqual({ c: ["r"], d: [] });
  expect(takenBy([fresh, { ...cloned, busy: 2 }], three)).toEqual({ c: [], d: ["1", "2"] });
  expect(takenBy([{ ...fresh, protocol: 1 }], [run])).toEqual({ d: [] });
  // Refused there, or no room there after all.
  for (const one of [{ refusedBy: ["c"] }, { waitsAt: ["c"] }])
    expect(takenBy([fresh, cloned], [{ ...run, ...one }]).d).toEqual(["r"]);
  expect(takenBy([fresh, cloned], [{ ...run, waitsAt: ["c"] }]).c).toEqual(["r"]);
});

test("of several without a clone one makes it, and the next one if that has no slot, or refused", () => {
  const next = { ...fresh, id: "e" };
  const three = ["1", "2", "3"].map((id) => ({ ...run, id }));
  expect(takenBy([fresh, next], three)).toEqual({ d: ["1", "2"], e: ["3"] });
  expect(takenBy([fresh, next], [{ ...run, refusedBy: ["d"] }])).toEqual({ d: [], e: ["r"] });
  expect(isForOneWithoutClone(run, [cloned, fresh])).toBe(true);
  for (const team of [[cloned], [{ ...fresh, busy: 2 }], [{ ...fresh, agents: [] }]])
    expect(isForOneWithoutClone(run, team)).toBe(false);
});

test("one that could not clone is not asked as long as it has no clone", () => {
  const next = { ...fresh, id: "e" };
  const uncloned = { ...run, unclonedAt: ["d"] };
  expect(takenBy([fresh, next], [uncloned])).toEqual({ d: [], e: ["r"] });
  expect(takenBy([fresh], [uncloned])).toEqual({ d: [] });
  expect(isForOneWithoutClone(uncloned, [fresh])).toBe(false);
  expect(takenBy([{ ...cloned, id: "d" }, next], [uncloned])).toEqual({ d: ["r"], e: [] });
});

function mostly<Value>(usual: Value, ...others: readonly Value[]): fc.Arbitrary<Value> {
  return fc.oneof({ weight: 6, arbitrary: fc.constant(usual) }, ...others.map((one) => fc.constant(one)));
}

test("however workers take in turn: no slot is passed, the order is kept, and nothing moves twice or without need", () => {
  const anyWorker = fc.record({
    slots: fc.integer({ min: 0, max: 4 }),
    busy: fc.integer({ min: 0, max: 5 }),
    agents: fc.subarray(["codex", "demo"]),
    labels: fc.subarray(["gpu", "mac"]),
    // Most can begin runs: else nearly nothing would move.
    state: mostly("ready" as const, "silent" as const, "stopped" as const),
    protocol: fc.constantFrom(1, 2),
    isThere: mostly(true, false),
    drains: mostly(false, true),
    repositories: fc.subarray(["r", "s"]).map((keys) => new Set(keys)),
  });
  const anyRun = fc.record({
    worker: fc.constantFrom("0", "1", "2"),
    waits: fc.option(
      fc.record({
        reason: fc.constantFrom("parallel" as const, "per_login" as const, "per_repository" as const),
        sharedLogin: fc.boolean(),
      }),
    ),
    agent: fc.constantFrom("codex", "demo"),
    needs: fc.constantFrom(1, 2),
    repository: fc.constantFrom("r", "s"),
    labels: fc.subarray(["gpu", "mac"]),
    refusedBy: fc.subarray(["0", "1", "2"]),
    unclonedAt: fc.subarray(["0", "1", "2"]),
    waitsAt: fc.subarray(["0", "1", "2"]),
  });
  let clones = 0;
  fc.assert(
    fc.property(
      fc.array(anyWorker, { minLength: 3, maxLength: 3 }),
      fc.array(anyRun, { maxLength: 8 }),
      fc.array(fc.nat(2), { maxLength: 12 }),
      (workersOf, runsOf, turns) => {
        const team = workersOf.map((worker, index) => ({ ...worker, id: `${index}` }));
        let waiting = runsOf.map((one, index) => ({ ...one, id: `run ${index}` }));
        const moved = new Set<string>();
        for (const turn of turns) {
          const worker = team[turn];
          if (worker === undefined) continue;
          const [first] = runsFor(worker, team, waiting);
          if (first === undefined) continue;
          expect(moved.has(first.id)).toBe(false);
          expect(worker.busy).toBeLessThan(worker.slots);
          expect(first.labels.filter((label) => !worker.labels.includes(label as "gpu"))).toEqual([]);
          // No earlier one that it could take as well was passed over.
          const before = waiting.slice(0, waiting.indexOf(first));
          expect(before.flatMap((one) => runsFor(worker, team, [one]))).toEqual([]);
          const holder = team.find(({ id }) => id === first.worker);
          const isAway = holder?.state !== "ready" || holder.drains || holder.protocol < first.needs;
          expect(worker.protocol).toBeGreaterThanOrEqual(first.needs);
          expect(isAway || first.waits?.reason === "parallel" || first.waits?.reason === "per_login").toBe(
            true,
          );
          // One with a clone and a slot would have had it.
          const better = team.filter(
            (one) => one.repositories.has(first.repository) && !first.waitsAt.includes(one.id),
          );
          if (!worker.repositories.has(first.repository)) {
            expect(better.flatMap((one) => runsFor(one, team, [first]))).toEqual([]);
            expect(first.unclonedAt).not.toContain(worker.id);
            clones++;
          }
          moved.add(first.id);
          waiting = waiting.filter((one) => one !== first);
          team[turn] = { ...worker, busy: worker.busy + 1 };
        }
      },
    ),
    { numRuns: 2_000 },
  );
  expect(clones).toBeGreaterThan(0);
});

describe("offers", () => {
  const worker = (id: string, slots = 2): TeamWorker => ({ ...here, id, slots });
  const many = (count: number) => Array.from({ length: count }, (_, n) => ({ ...run, id: `run ${n}` }));
  const toldOf = (offers: ReturnType<typeof offersOf>) => offers.map(({ run: id }) => id);

  test("go to one worker each, as many as have a slot, in the order of the queue", () => {
    const offers = offersOf([full, worker("b"), worker("c"), worker("d")], many(20), 7);
    expect(toldOf(offers).toSorted()).toEqual(toldOf(offers.slice(0, 6)).toSorted());
    expect(new Set(toldOf(offers))).toEqual(new Set(many(6).map(({ id }) => id)));
    expect(Object.values(Object.groupBy(offers, (one) => one.worker)).map((all) => all?.length)).toEqual([
      2, 2, 2,
    ]);
  });

  test("go to all free slots if fewer runs wait", () => {
    const offers = offersOf([full, worker("b"), worker("c", 1)], many(1), 7);
    expect(offers.map((one) => one.worker).toSorted()).toEqual(["b", "c"]);
    expect(offersOf([full], many(3), 7)).toEqual([]);
  });

  test("of two looks name the same worker, also if others have got room between, and another one in time", () => {
    const few = [full, worker("b", 1), worker("c", 1), worker("d", 1)];
    const to = (turn: number, team = few) =>
      offersOf(team, many(3), turn).map(({ worker: id, run: of }) => `${of} ${id}`);
    for (let turn = 0; turn < 20; turn++) expect(to(turn)).toEqual(to(turn));
    const first = new Set(
      Array.from({ length: 20 }, (_, turn) => to(turn).find((one) => one.startsWith("run 0"))),
    );
    expect(first.size).toBe(3);
    const wide = [full, worker("b", 3), worker("c", 3), worker("d", 3)];
    const wider = [full, worker("b", 4), worker("c", 5), worker("d", 6)];
    const firstOf = (team: readonly TeamWorker[]) =>
      offersOf(team, many(3), 7).map((one) => `${one.run} ${one.worker}`);
    for (const line of firstOf(wide)) expect(firstOf(wider)).toContain(line);
  });

  test("of what is only planned come behind the queue, and not from whom could not clone for it", () => {
    const clone = (id: string, slots: number): TeamWorker => ({ ...fresh, id, slots });
    const planned = [1, 2].map((n) => ({ ...run, id: `planned ${n}` }));
    const offered = (team: readonly TeamWorker[], queue: readonly MovableRun[]) =>
      offersOf([full, ...team], withPlanned(queue, planned), 7).map(
        ({ run: id, worker: to }) => `${id} ${to}`,
      );
    expect(offered([clone("d", 3)], many(1))).toEqual(["run 0 d", "planned 1 d", "planned 2 d"]);
    expect(offered([clone("d", 2)], many(1))).toEqual(["run 0 d", "planned 1 d"]);
    expect(offered([clone("d", 1)], many(1))).toEqual(["run 0 d"]);
    expect(offered([clone("d", 1), worker("b", 1)], [])).toEqual(["planned 1 b", "planned 2 d"]);
    const refused = { ...run, id: "run 0", unclonedAt: ["d"] };
    expect(offered([clone("d", 3), clone("e", 1)], [refused])).toEqual(["run 0 e"]);
    expect(offered([clone("d", 3)], [refused])).toEqual([]);
    expect(offered([clone("d", 3)], [{ ...refused, repository: "host/us/other" }])).toEqual([
      "planned 1 d",
      "planned 2 d",
    ]);
  });

  test("name one worker for each run before others that may have it too", () => {
    const offers = offersOf([full, worker("b", 2), worker("c", 2), worker("d", 2)], many(2), 7);
    expect(offers).toHaveLength(6);
    expect(new Set(toldOf(offers.slice(0, 2)))).toEqual(new Set(["run 0", "run 1"]));
  });

  test("are never more than the slots, and never of what the worker may not take", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({ slots: fc.nat(4), busy: fc.nat(4), drains: fc.boolean(), cloned: fc.boolean() }),
          {
            maxLength: 5,
          },
        ),
        fc.nat(12),
        fc.nat(),
        (of, count, turn) => {
          const team = of.map(({ cloned, ...one }, index) => ({
            ...here,
            ...one,
            ...(cloned ? {} : { repositories: new Set<string>() }),
            id: `${index}`,
          }));
          const offers = offersOf([...team, full], many(count), turn);
          for (const one of team) {
            const told = toldOf(offers.filter(({ worker: id }) => id === one.id));
            expect(new Set(told).size).toBe(told.length);
            expect(told.length).toBeLessThanOrEqual(roomAt(one));
            const may = runsFor({ ...one, slots: one.busy + count + 1 }, [...team, full], many(count));
            for (const id of told) expect(may.map((each) => each.id)).toContain(id);
          }
          const room = team.reduce((sum, one) => sum + roomAt(one), 0);
          // Nobody is left out while a slot with a clone is free.
          const withClone = team.filter(({ repositories }) => repositories.size > 0);
          const cloned = withClone.reduce((sum, one) => sum + roomAt(one), 0);
          expect(new Set(toldOf(offers)).size).toBeGreaterThanOrEqual(Math.min(cloned, count));
          expect(new Set(toldOf(offers)).size).toBeLessThanOrEqual(Math.min(room, count));
        },
      ),
    );
  });
});

test("what a run waits for is kept in one word, and a word of a newer program says nothing", () => {
  for (const sharedLogin of [false, true])
    expect(readWaiting(notedWaiting({ reason: "per_login", sharedLogin }))).toEqual({
      reason: "per_login",
      sharedLogin,
    });
  expect(readWaiting(notedWaiting({ reason: "disk", sharedLogin: true }))).toEqual({
    reason: "disk",
    sharedLogin: false,
  });
  expect([readWaiting(null), readWaiting("moon")]).toEqual([null, null]);
});
