import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  diskFloor,
  hasSharedRoom,
  type QueuedRun,
  type SchedulingFacts,
  type Slots,
  scheduleRuns,
} from "../../../src/domain/run/scheduling.ts";

const run = (id: string, more: Partial<QueuedRun> = {}): QueuedRun => ({
  id,
  attemptId: `attempt-${id}`,
  repositoryId: "r",
  repositoryKey: "/r/.git",
  login: "claude",
  held: false,
  begun: false,
  ...more,
});
const facts = (more: Partial<SchedulingFacts>): SchedulingFacts => ({
  queued: [],
  active: [],
  elsewhere: [],
  busyAttempts: new Set(),
  heldLogins: new Map(),
  diskBelowFloor: false,
  beginsNothing: null,
  ...more,
});
const pickRuns = (facts: SchedulingFacts, slots: Slots) =>
  scheduleRuns(facts, () => slots).begin.map(({ id }) => id);
const waitsOf = (facts: SchedulingFacts, slots: Slots) =>
  scheduleRuns(facts, () => slots).waiting.map(({ run: { id }, waits }) => [
    id,
    waits.reason,
    waits.limit ?? waits.until,
  ]);
const UNTIL = "2026-01-02T15:30:00.000Z";
const wide = { parallel: 100, perRepository: 100, perLogin: 100 };

describe("the queue", () => {
  test("runs begin in order up to each limit", () => {
    const queued = [
      run("a"),
      run("b"),
      run("c", { login: "codex" }),
      run("d", { repositoryId: "s", repositoryKey: "/s/.git", login: "codex" }),
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

  test("what works on other workers counts for repositories and logins, and takes no slot here", () => {
    const elsewhere = [{ repositoryKey: "/r/.git", login: "claude" }];
    const queued = [run("a"), run("b", { login: "codex" }), run("c", { repositoryKey: "/s/.git" })];
    expect(pickRuns(facts({ queued, elsewhere }), { ...wide, parallel: 3 })).toEqual(["a", "b", "c"]);
    expect(pickRuns(facts({ queued, elsewhere }), { ...wide, perRepository: 2 })).toEqual(["a", "c"]);
    expect(pickRuns(facts({ queued, elsewhere }), { ...wide, perLogin: 1 })).toEqual(["b"]);
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
    expect(pickRuns(facts({ queued, heldLogins: new Map([["claude", UNTIL]]) }), wide)).toEqual(["b", "c"]);
    const tries = [run("d", { triesNow: true }), run("e")];
    const limited = facts({ queued: tries, heldLogins: new Map([["claude", UNTIL]]) });
    expect(pickRuns(limited, wide)).toEqual(["d"]);
  });

  test("below the disk floor nothing begins", () => {
    expect(pickRuns(facts({ queued: [run("a")], diskBelowFloor: true }), wide)).toEqual([]);
    expect(diskFloor(10 * 1024 ** 3)).toBe(0.5 * 1024 ** 3);
    expect(diskFloor(1024 ** 4)).toBe(2 * 1024 ** 3);
  });

  test("checkouts that share a git directory are one repository", () => {
    const queued = [run("a"), run("b", { repositoryId: "linked" })];
    expect(pickRuns(facts({ queued }), { ...wide, perRepository: 1 })).toEqual(["a"]);
    const active = [run("c", { repositoryId: "linked" })];
    expect(pickRuns(facts({ queued, active }), { ...wide, perRepository: 2 })).toEqual(["a"]);
  });

  test("every run that may not begin waits for something: its attempt, the disk, its login, the widest full limit", () => {
    const active = [run("0"), run("1")];
    const queued = [
      run("a"),
      run("b", { attemptId: "attempt-a" }),
      run("c", { login: "codex" }),
      run("d", { repositoryKey: "/s/.git", login: "codex" }),
      run("e", { repositoryKey: "/t/.git", login: "codex" }),
      run("f", { held: true }),
    ];
    const slots = { parallel: 3, perRepository: 2, perLogin: 2 };
    expect(waitsOf(facts({ queued, active }), slots)).toEqual([
      ["a", "per_repository", 2],
      ["b", "attempt", null],
      ["c", "per_repository", 2],
      ["e", "parallel", 3],
    ]);
    expect(waitsOf(facts({ queued, active }), { ...wide, perLogin: 1 })).toEqual([
      ["a", "per_login", 1],
      ["b", "attempt", null],
      ["d", "per_login", 1],
      ["e", "per_login", 1],
    ]);
    const held = { heldLogins: new Map([["codex", UNTIL]]) };
    expect(waitsOf(facts({ queued, active, ...held }), { ...wide, parallel: 3 })).toEqual([
      ["b", "attempt", null],
      ["c", "login", UNTIL],
      ["d", "login", UNTIL],
      ["e", "login", UNTIL],
    ]);
    expect(waitsOf(facts({ queued: [run("a")], diskBelowFloor: true, ...held }), wide)).toEqual([
      ["a", "disk", null],
    ]);
  });

  test("without its clone nothing goes on, also what had begun; room on the disk is waited for first", () => {
    const lacksClone = { until: UNTIL, why: "It does not answer." };
    const queued = [run("a", { lacksClone }), run("b", { lacksClone, begun: true }), run("c")];
    expect(pickRuns(facts({ queued }), wide)).toEqual(["c"]);
    expect(scheduleRuns(facts({ queued }), () => wide).waiting.map(({ waits }) => waits)).toEqual([
      { reason: "clone", limit: null, ...lacksClone },
      { reason: "clone", limit: null, ...lacksClone },
    ]);
    expect(waitsOf(facts({ queued, diskBelowFloor: true }), wide)).toEqual([
      ["a", "disk", null],
      ["b", "clone", UNTIL],
      ["c", "disk", null],
    ]);
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
      repositoryKey: fc.constantFrom("/r/.git", "/s/.git"),
      login: fc.constantFrom("x", "y", null),
      held: fc.boolean(),
      begun: fc.constant(false),
    });
    const limit = fc.integer({ min: 1, max: 5 });
    fc.assert(
      fc.property(
        fc.array(anyRun),
        fc.array(anyRun, { maxLength: 3 }),
        fc.array(anyRun, { maxLength: 3 }),
        fc.record({ parallel: limit, perRepository: limit, perLogin: limit }),
        (queued, active, elsewhere, slots) => {
          const { begin: picked, waiting } = scheduleRuns(facts({ queued, active, elsewhere }), () => slots);
          const max = (
            key: (one: QueuedRun) => string | null,
            cap: number,
            works: readonly QueuedRun[] = [...active, ...elsewhere],
          ) => {
            const before = Map.groupBy(works, key);
            for (const [value, group] of Map.groupBy([...works, ...picked], key))
              if (value !== null)
                expect(group.length).toBeLessThanOrEqual(Math.max(cap, before.get(value)?.length ?? 0));
          };
          max(() => "all", slots.parallel, active);
          max((one) => one.repositoryKey, slots.perRepository);
          max((one) => one.login, slots.perLogin);
          // Whoever begins alone passes no shared limit either, as the transaction that takes it asks once more.
          for (const one of picked) expect(hasSharedRoom(one, [...active, ...elsewhere], slots)).toBe(true);
          expect(new Set(picked.map((one) => one.attemptId)).size).toBe(picked.length);
          const held = queued.filter((one) => one.held);
          expect(picked.length + waiting.length + held.length).toBe(queued.length);
        },
      ),
    );
  });
});
