import { expect, test } from "bun:test";
import { nearestNames } from "../../src/git/refs/nearest-names.ts";

test("the nearest names come first, at most five", () => {
  const names = ["develop", "main", "feature/login", "feature/logout", "release/1", "release/2", "手綱"];
  expect(nearestNames("mian", names)[0]).toBe("main");
  expect(nearestNames("feature/logn", names).slice(0, 2)).toEqual(["feature/login", "feature/logout"]);
  expect(nearestNames("MAIN", names)[0]).toBe("main");
  expect(nearestNames("x", names)).toHaveLength(5);
  expect(nearestNames("x", [])).toEqual([]);
});
