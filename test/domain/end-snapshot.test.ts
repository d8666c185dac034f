import { expect, test } from "bun:test";
import { isOfEnd } from "../../src/domain/depot/end-snapshot.ts";

test("only a snapshot that was taken since an attempt ended replaces what the depot has of it", () => {
  const endedAt = "2026-01-02T12:00:00.000Z";
  expect(isOfEnd({ endedAt }, "2026-01-02T11:59:59.999Z")).toBe(false);
  expect(isOfEnd({ endedAt }, endedAt)).toBe(true);
  expect(isOfEnd({ endedAt }, "2026-01-02T12:00:03.000Z")).toBe(true);
  expect(isOfEnd({ endedAt: null }, endedAt)).toBe(false);
});
