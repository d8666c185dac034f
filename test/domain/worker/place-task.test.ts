/** Tries every rule by which a task is placed on a worker. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  type OtherPlace,
  type OwnPlace,
  placeTask,
  type TaskToPlace,
} from "../../../src/domain/worker/place-task.ts";

const other: OtherPlace = {
  worker: "b",
  name: "ci-2",
  isReady: true,
  protocol: 2,
  slots: 4,
  busy: 1,
  agents: ["claude-code", "codex"],
  labels: ["gpu"],
  hasClone: true,
};
const full: OwnPlace = { labels: [], hasClone: true, wouldWait: true };
const task: TaskToPlace = {
  ...{ attempts: 2, agents: ["codex"], labels: [], staysHere: false, pinned: null, needs: 2 },
};

/** The worker, `here`, or why there is none. */
function placed(own: OwnPlace, others: readonly OtherPlace[], asked: TaskToPlace = task): string {
  const place = placeTask(own, others, asked);
  if (place.at === "there") return place.place.worker;
  return place.at === "here" ? "here" : place.why;
}

test("a task goes to a worker with free slots only if it would wait here", () => {
  expect(placed(full, [other])).toBe("b");
  expect(placed({ ...full, wouldWait: false }, [other])).toBe("here");
  expect(placed(full, [other], { ...task, staysHere: true })).toBe("here");
  expect(placed(full, [{ ...other, busy: 3 }])).toBe("here");
  expect(placed(full, [other, { ...other, worker: "c", busy: 0 }])).toBe("c");
  expect(placed(full, [other, { ...other, worker: "a" }])).toBe("a");
});

test("who is away, has no clone, no such agent or an older program gets nothing", () => {
  for (const lacks of [{ isReady: false }, { hasClone: false }, { protocol: 1 }, { agents: ["claude-code"] }])
    expect(placed(full, [{ ...other, ...lacks }])).toBe("here");
});

test("without a clone here a task begins elsewhere, even if it waits there", () => {
  const own = { ...full, hasClone: false, wouldWait: false };
  expect(placed(own, [{ ...other, busy: 9 }])).toBe("b");
  expect(
    placed(own, [
      { ...other, busy: 9 },
      { ...other, worker: "c", busy: 3 },
    ]),
  ).toBe("c");
  expect(
    placed(own, [
      { ...other, agents: [] },
      { ...other, worker: "c", busy: 9 },
    ]),
  ).toBe("c");
  expect(placed(own, [{ ...other, agents: [] }])).toBe("b");
  expect(placed(own, [{ ...other, isReady: false }])).toBe("not_ready");
  expect(placed(own, [{ ...other, protocol: 1 }])).toBe("older");
  expect(placed(own, [{ ...other, hasClone: false, isReady: false }])).toBe("no_clone");
  expect(placed(own, [])).toBe("no_clone");
});

test("a label that this machine lacks sends a task to one that has it, even if it waits there", () => {
  const [free, wanted] = [
    { ...full, wouldWait: false },
    { ...task, labels: ["gpu"] },
  ];
  expect(placed(free, [other], wanted)).toBe("b");
  expect(placed(free, [{ ...other, busy: 9 }], wanted)).toBe("b");
  expect(placed({ ...free, labels: ["gpu", "mac"] }, [other], wanted)).toBe("here");
  expect(placed({ ...full, labels: ["gpu"] }, [other], wanted)).toBe("b");
  // Nobody has all of them: it waits here, and elsewhere without a clone here.
  expect(placed(free, [other], { ...task, labels: ["gpu", "mac"] })).toBe("here");
  expect(placed(free, [other], { ...wanted, staysHere: true })).toBe("here");
  expect(placed({ ...free, hasClone: false }, [{ ...other, labels: [] }], wanted)).toBe("lacks_labels");
  expect(placed(free, [{ ...other, labels: [] }], { ...wanted, pinned: "b" })).toBe("lacks_labels");
});

test("a worker that a person chose gets it, even if it is full, unless it cannot", () => {
  const chosen = (name: string) => ({ ...task, pinned: name, staysHere: true });
  const free = { ...full, wouldWait: false };
  expect(placed(free, [{ ...other, busy: 9, agents: [] }], chosen("b"))).toBe("b");
  expect(placed(free, [other], chosen("c"))).toBe("not_ready");
  expect(placed(free, [{ ...other, isReady: false }], chosen("b"))).toBe("not_ready");
  expect(placed(free, [{ ...other, hasClone: false }], chosen("b"))).toBe("no_clone");
});

const agents = fc.subarray(["claude-code", "codex", "gemini"]);
const labels = fc.subarray(["gpu", "mac"]);
const anOther = (worker: string): fc.Arbitrary<OtherPlace> =>
  fc.record({
    worker: fc.constant(worker),
    name: fc.constant(`worker ${worker}`),
    isReady: fc.boolean(),
    protocol: fc.constantFrom(1, 2),
    slots: fc.integer({ min: 1, max: 5 }),
    busy: fc.integer({ min: 0, max: 6 }),
    agents,
    labels,
    hasClone: fc.boolean(),
  });
const others = fc.tuple(...["a", "b", "c", "d"].map(anOther));
const own = fc.record({
  labels,
  hasClone: fc.boolean(),
  wouldWait: fc.boolean(),
});
const asked = fc.record({
  attempts: fc.integer({ min: 1, max: 4 }),
  agents,
  labels,
  staysHere: fc.boolean(),
  pinned: fc.constantFrom(null, null, "a", "e"),
  needs: fc.constantFrom(1, 2),
});

test("whatever the team is like, nobody gets a task that it cannot begin, and nobody better is passed over", () => {
  fc.assert(
    fc.property(own, others, asked, (here, team, wanted) => {
      const place = placeTask(here, team, wanted);
      const has = (own: readonly string[]) => wanted.labels.every((label) => own.includes(label));
      const can = (one: OtherPlace) =>
        one.isReady && one.hasClone && one.protocol >= wanted.needs && has(one.labels);
      const free = ({ slots, busy }: OtherPlace) => slots - busy;
      const fits = (one: OtherPlace) =>
        can(one) && free(one) >= wanted.attempts && wanted.agents.every((id) => one.agents.includes(id));
      if (place.at === "there") {
        expect(can(place.place)).toBe(true);
        if (wanted.pinned !== null) expect(place.place.worker).toBe(wanted.pinned);
        else if (here.hasClone && has(here.labels)) {
          expect([here.wouldWait, wanted.staysHere, fits(place.place)]).toEqual([true, false, true]);
          expect(Math.max(...team.filter(fits).map(free))).toBe(free(place.place));
        }
      } else if (place.at === "here") {
        expect([here.hasClone, wanted.pinned]).toEqual([true, null]);
        if (here.wouldWait && !wanted.staysHere) expect(team.some(fits)).toBe(false);
        if (!has(here.labels) && !wanted.staysHere) expect(team.some(can)).toBe(false);
      } else {
        expect(here.hasClone && wanted.pinned === null).toBe(false);
        if (wanted.pinned === null) expect(team.some(can)).toBe(false);
      }
      expect(placeTask(here, team.toReversed(), wanted)).toEqual(place);
    }),
    { numRuns: 500 },
  );
});
