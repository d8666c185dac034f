import { expect, test } from "bun:test";
import fc from "fast-check";
import { createClock, systemClock } from "../../src/utils/time/clock.ts";

test("times as text have one width and sort as they pass", () => {
  const time = fc.integer({ min: 0, max: Date.UTC(9999, 11, 31) });
  fc.assert(
    fc.property(time, time, (a, b) => {
      const [first, second] = [createClock(() => a).iso(), createClock(() => b).iso()];
      expect([first.length, second.length]).toEqual([24, 24]);
      expect(Math.sign(first < second ? -1 : Number(first > second))).toBe(Math.sign(a - b));
    }),
  );
});

test("the system clock tells the time of now", () => {
  const before = Date.now();
  const now = systemClock.now().getTime();
  expect(now).toBeGreaterThanOrEqual(before);
  expect(now).toBeLessThanOrEqual(Date.now());
});
