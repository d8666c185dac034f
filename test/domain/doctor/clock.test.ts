import { expect, test } from "bun:test";
import { clockFindings } from "../../../src/domain/doctor/clock.ts";

test("a clock counts as wrong when it is more than two seconds off, and it is said to which side", () => {
  const said = (ms: number) => clockFindings(ms).map(({ level, what }) => `${level}: ${what}`);
  expect([0, 2_000, -2_000].flatMap(said)).toEqual([]);
  expect([2_001, -600_000].flatMap(said)).toEqual([
    "warning: This machine's clock is 2 s ahead of that of the database.",
    "warning: This machine's clock is 600 s behind that of the database.",
  ]);
});
