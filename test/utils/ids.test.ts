import { expect, test } from "bun:test";
import { newId } from "../../src/utils/values/ids.ts";

test("ids are random UUIDs that differ in their first eight characters", () => {
  const ids = Array.from({ length: 1000 }, newId);
  expect(
    ids.every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id)),
  ).toBe(true);
  expect(new Set(ids.map((id) => id.slice(0, 8))).size).toBeGreaterThan(990);
  expect(ids).not.toEqual(ids.toSorted());
});
