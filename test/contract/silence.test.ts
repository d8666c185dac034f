import { expect, test } from "bun:test";
import { silentFor } from "../../src/contract/words/silence.ts";

const NOON = Date.parse("2026-01-01T12:00:00.000Z");
const run = (at: string | null) =>
  ({
    status: "RUNNING",
    phase: "agent",
    started_at: "2026-01-01T11:00:00.000Z",
    last_action: at === null ? null : { at, text: "Read a file" },
  }) as const;

test("an agent that works is called silent after four minutes without an event", () => {
  expect(silentFor(run("2026-01-01T11:56:01.000Z"), NOON)).toBeNull();
  expect(silentFor(run("2026-01-01T11:56:00.000Z"), NOON)).toBe(240_000);
  expect(silentFor(run(null), NOON)).toBe(3_600_000);
  expect(silentFor({ ...run(null), phase: "waiting" }, NOON)).toBeNull();
  expect(silentFor({ ...run(null), status: "STAGING", phase: "checking" }, NOON)).toBeNull();
});
