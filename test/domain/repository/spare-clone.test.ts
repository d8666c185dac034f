/** Holds which clones may go: only one that nothing needs, the one that was used longest ago first. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  type CloneFacts,
  longestUnusedFirst,
  whyNeeded,
} from "../../../src/domain/repository/spare-clone.ts";

const NOW = new Date("2026-03-01T00:00:00.000Z");
const DAY = 24 * 3_600_000;
const SPARE: CloneFacts = {
  usedAt: "2026-02-01T00:00:00.000Z",
  attempts: 0,
  goingOn: 0,
  trashed: 0,
  checkouts: [],
  processes: [],
  strange: [],
};
const LIMITS = { now: NOW, unusedMs: DAY };

const facts = fc.record({
  usedAt: fc.integer({ min: -3 * DAY, max: 3 * DAY }).map((ms) => new Date(NOW.getTime() + ms).toISOString()),
  attempts: fc.nat({ max: 1 }),
  goingOn: fc.nat({ max: 1 }),
  trashed: fc.nat({ max: 1 }),
  checkouts: fc.array(fc.constant("/p/one"), { maxLength: 1 }),
  processes: fc.array(fc.constant(7), { maxLength: 1 }),
  strange: fc.array(fc.constant(".git/hooks"), { maxLength: 1 }),
});

test("a clone that nothing needs may go", () => {
  expect(whyNeeded(SPARE, LIMITS)).toBeNull();
});

test("whatever needs a clone keeps it, alone or with others", () => {
  fc.assert(
    fc.property(facts, (one) => {
      const counts = [one.attempts, one.goingOn, one.trashed];
      const lists = [one.checkouts, one.processes, one.strange];
      const isNeeded = counts.some((count) => count > 0) || lists.some((list) => list.length > 0);
      const isUnused = NOW.getTime() - Date.parse(one.usedAt) >= DAY;
      expect(whyNeeded(one, LIMITS) === null).toBe(!isNeeded && isUnused);
    }),
  );
});

test("each need keeps it alone, and says why", () => {
  const needs: readonly [Partial<CloneFacts>, string][] = [
    [{ attempts: 2 }, "2 of its attempts are not put away."],
    [{ goingOn: 1 }, "Something goes on in it."],
    [{ trashed: 1 }, "1 of its worktrees lie in the trash."],
    [{ checkouts: ["/p/one"] }, "Others work in it: /p/one."],
    [{ processes: [7] }, "A process (7) works in it."],
    [{ strange: [".git/hooks"] }, "It has what no clone has: .git/hooks."],
    [{ usedAt: NOW.toISOString() }, "It was used a short time ago."],
  ];
  for (const [need, why] of needs) expect(whyNeeded({ ...SPARE, ...need }, LIMITS)?.why).toBe(why);
});

test("a time that cannot be read keeps it", () => {
  expect(whyNeeded({ ...SPARE, usedAt: "yesterday" }, LIMITS)).not.toBeNull();
});

test("the one that was used longest ago comes first, and none is lost", () => {
  fc.assert(
    fc.property(fc.array(facts), (all) => {
      const sorted = longestUnusedFirst(all);
      expect(new Set(sorted)).toEqual(new Set(all));
      const times = sorted.map(({ usedAt }) => Date.parse(usedAt));
      expect(times).toEqual([...times].sort((one, other) => one - other));
    }),
  );
});
