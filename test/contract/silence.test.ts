import { expect, test } from "bun:test";
import { silentFor } from "../../src/contract/words/silence.ts";

const NOON = Date.parse("2026-01-01T12:00:00.000Z");
const run = (at: string | null) =>
  ({
    status: "RUNNING",
    phase: "agent",
    started_at: "2026-01-01T11:00:00.000Z",
    phase_since: "2026-01-01T11:00:01.000Z",
    last_action: at === null ? null : { at, text: "Read a file" },
  }) as const;

test("an agent that works is called silent after four minutes without an event", () => {
  expect(silentFor(run("2026-01-01T11:56:01.000Z"), NOON)).toBeNull();
  expect(silentFor(run("2026-01-01T11:56:00.000Z"), NOON)).toBe(240_000);
  expect(silentFor(run(null), NOON)).toBe(3_599_000);
  expect(silentFor({ ...run(null), phase: "waiting" }, NOON)).toBeNull();
  expect(silentFor({ ...run(null), status: "STAGING", phase: "checking" }, NOON)).toBeNull();
});

test("an agent that goes on after a wait is silent from then, not from what it said before", () => {
  const said = run("2026-01-01T11:10:00.000Z");
  expect(silentFor({ ...said, phase_since: "2026-01-01T11:59:00.000Z" }, NOON)).toBeNull();
  expect(silentFor({ ...said, phase_since: "2026-01-01T11:50:00.000Z" }, NOON)).toBe(600_000);
});
