import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  diskFloor,
  pickRuns as pick,
  type QueuedRun,
  type SchedulingFacts,
  type Slots,
} from "../../../src/domain/run/scheduling.ts";

const run = (id: string, more: Partial<QueuedRun> = {}): QueuedRun => ({
  id,
  attemptId: `attempt-${id}`,
  repositoryId: "r",
  login: "claude",
  held: false,
  begun: false,
  ...more,
});
const facts = (more: Partial<SchedulingFacts>): SchedulingFacts => ({
  queued: [],
  active: [],
  busyAttempts: new Set(),
  heldLogins: new Set(),
  diskBelowFloor: false,
  ...more,
});
const pickRuns = (of: SchedulingFacts, slots: Slots) => pick(of, () => slots);
const wide = { parallel: 100, perRepository: 100, perLogin: 100 };

describe("the queue", () => {
  test("runs begin in order up to each limit", () => {
    const queued = [
      run("a"),
      run("b"),
      run("c", { login: "codex" }),
      run("d", { repositoryId: "s", login: "codex" }),
    ];
    expect(pickRuns(facts({ queued }), wide)).toEqual(["a", "b", "c", "d"]);
    expect(pickRuns(facts({ queued }), { ...wide, parallel: 2 })).toEqual(["a", "b"]);
    expect(pickRuns(facts({ queued }), { ...wide, perLogin: 1 })).toEqual(["a", "c"]);
    expect(pickRuns(facts({ queued }), { ...wide, perRepository: 1 })).toEqual(["a", "d"]);
  });

  test("what holds a slot counts", () => {
    expect(pickRuns(facts({ queued: [run("b")], active: [run("a")] }), { ...wide, perLogin: 1 })).toEqual([]);
    expect(
      pickRuns(facts({ queued: [run("b")], active: [run("a", { login: null })] }), { ...wide, perLogin: 1 }),
    ).toEqual(["b"]);
  });

  test("an attempt has one run at a time, its earliest first", () => {
    const queued = [run("a1", { attemptId: "a" }), run("a2", { attemptId: "a" }), run("b")];
    expect(pickRuns(facts({ queued }), wide)).toEqual(["a1", "b"]);
    expect(pickRuns(facts({ queued, busyAttempts: new Set(["a"]) }), wide)).toEqual(["b"]);
  });

  test("a held follow-up stands aside for what a person asks for after it", () => {
    const queued = [run("a1", { attemptId: "a", held: true }), run("a2", { attemptId: "a" }), run("b")];
    expect(pickRuns(facts({ queued }), wide)).toEqual(["a2", "b"]);
  });

  test("a login whose limit has not reset is left alone, others go on", () => {
    const queued = [run("a"), run("b", { login: "codex" }), run("c", { login: null })];
    expect(pickRuns(facts({ queued, heldLogins: new Set(["claude"]) }), wide)).toEqual(["b", "c"]);
  });

  test("below the disk floor nothing begins", () => {
    expect(pickRuns(facts({ queued: [run("a")], diskBelowFloor: true }), wide)).toEqual([]);
    expect(diskFloor(10 * 1024 ** 3)).toBe(0.5 * 1024 ** 3);
    expect(diskFloor(1024 ** 4)).toBe(2 * 1024 ** 3);
  });

  test("what had begun before a restart goes on whatever the limits say, and counts", () => {
    const queued = [run("a", { begun: true }), run("b", { begun: true }), run("c")];
    expect(pickRuns(facts({ queued, diskBelowFloor: true }), { ...wide, parallel: 1 })).toEqual(["a", "b"]);
    expect(pickRuns(facts({ queued }), { ...wide, parallel: 3 })).toEqual(["a", "b", "c"]);
  });

  test("no limit is ever passed, whatever is queued and active", () => {
    const anyRun = fc.record({
      id: fc.uuid(),
      attemptId: fc.constantFrom("a", "b", "c", "d", "e"),
      repositoryId: fc.constantFrom("r", "s"),
      login: fc.constantFrom("x", "y", null),
      held: fc.boolean(),
      begun: fc.constant(false),
    });
    const limit = fc.integer({ min: 1, max: 5 });
    fc.assert(
      fc.property(
        fc.array(anyRun),
        fc.array(anyRun, { maxLength: 3 }),
        fc.record({ parallel: limit, perRepository: limit, perLogin: limit }),
        (queued, active, slots) => {
          const picked = pickRuns(facts({ queued, active }), slots).map((id) =>
            queued.find((one) => one.id === id),
          );
          const all = [...active, ...picked.flatMap((one) => (one ? [one] : []))];
          const most = (key: (one: QueuedRun) => string | null, cap: number) => {
            const before = Map.groupBy(active, key);
            for (const [value, group] of Map.groupBy(all, key))
              if (value !== null)
                expect(group.length).toBeLessThanOrEqual(Math.max(cap, before.get(value)?.length ?? 0));
          };
          most(() => "all", slots.parallel);
          most((one) => one.repositoryId, slots.perRepository);
          most((one) => one.login, slots.perLogin);
          expect(new Set(picked.map((one) => one?.attemptId)).size).toBe(picked.length);
        },
      ),
    );
  });
});
