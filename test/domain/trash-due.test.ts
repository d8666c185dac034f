import { describe, expect, test } from "bun:test";
import { dueInTrash, type TrashLooks } from "../../src/domain/trash/due.ts";

const DAY = 24 * 3_600_000;
const BEGIN = Date.parse("2026-01-01T00:00:00Z");
const at = (days: number) => new Date(BEGIN + days * DAY);

/** What goes at each look, by the days since the entry was put there as the clock says them. */
function looking(clock: readonly number[], deletedAt = 0) {
  let looks: TrashLooks = {};
  return clock.map((days) => {
    const entries = [{ id: "e", deletedAt: at(deletedAt).toISOString() }];
    const decision = dueInTrash({ entries, looks, now: at(days), settleMs: DAY, keepMs: 14 * DAY });
    looks = decision.looks;
    return `${decision.old.join()}/${decision.forRoom.join()}`;
  });
}

describe("what lies in the trash", () => {
  test("goes after its time, if two looks a day apart say so; for room after two days", () => {
    expect(looking([0, 0.5, 1.5, 2.6, 13, 14.5, 15, 15.6])).toEqual([
      "/",
      "/",
      "/",
      "/e",
      "/e",
      "/e",
      "/e",
      "e/e",
    ]);
  });

  test.each([
    ["20 days ahead for some hours, and right again", [0.1, 20, 20.1, 20.3, 0.5, 0.9]],
    ["a year ahead, twice, an hour each", [0.1, 365, 0.2, 365.1, 0.3]],
    ["behind, and right again", [0.1, -400, -399, 0.5]],
  ])("stays whatever the clock does: %s", (_, clock) => {
    expect(looking(clock)).toEqual(clock.map(() => "/"));
  });

  test("put there by a clock that was ahead stays longer, never shorter", () => {
    expect(looking([0, 5, 10, 20, 30], 40)).toEqual(["/", "/", "/", "/", "/"]);
  });

  test("goes the oldest first", () => {
    const entries = [3, 1, 2].map((day) => ({ id: `e${day}`, deletedAt: at(day).toISOString() }));
    const seen = { settled: at(5).toISOString() };
    const looks = { e1: seen, e2: seen, e3: seen };
    const { forRoom, old } = dueInTrash({ entries, looks, now: at(7), settleMs: DAY, keepMs: 14 * DAY });
    expect({ forRoom, old }).toEqual({ forRoom: ["e1", "e2", "e3"], old: [] });
  });
});
