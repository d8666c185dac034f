import { describe, expect, test } from "bun:test";
import { stillWaits, waitingFor, waitingNow } from "../../../src/domain/run/waiting.ts";

const EARLY = "2026-01-02T15:00:00.000Z";
const LATE = "2026-01-02T16:00:00.000Z";
const waits = waitingFor("per_login", { limit: 4 });
const told = (at: string) => ({ at, data: waits });
const free = { held: false, startedAt: null, options: {} } as const;
const queued = { ...free, status: "PENDING", phase: "queued", resumeAt: null } as const;
const limited = { ...free, status: "RUNNING", phase: "waiting", resumeAt: LATE } as const;

describe("what a run waits for", () => {
  test("is what was told last, as long as it is queued", () => {
    expect(waitingNow(queued, told(EARLY))).toEqual(waits);
    expect(waitingNow(queued, undefined)).toBeNull();
    expect(waitingNow({ ...queued, phase: "preparing" }, told(EARLY))).toBeNull();
    expect(waitingNow({ ...queued, status: "CANCELED", phase: null }, told(EARLY))).toBeNull();
  });

  test("is a person if it is held", () => {
    expect(waitingNow({ ...queued, held: true }, told(EARLY))).toBeNull();
  });

  test("is its rate limit until that is over, and then what was told since", () => {
    expect(waitingNow(limited, told(EARLY))).toBeNull();
    expect(waitingNow(limited, told(LATE))).toEqual(waits);
    expect(waitingNow({ ...limited, resumeAt: null }, told(LATE))).toBeNull();
  });

  test("is its next start if it was fenced, until something else was told", () => {
    const fenced = { ...limited, options: { fences: 1, fenced: true } } as const;
    expect(waitingNow(fenced, told(EARLY))).toEqual(waitingFor("fenced"));
    expect(waitingNow(fenced, told(LATE))).toEqual(waits);
    expect(waitingNow({ ...fenced, phase: "agent" }, undefined)).toBeNull();
  });

  test("is its clone while it is prepared, if that was told since; nothing else", () => {
    const preparing = { ...queued, phase: "preparing", startedAt: LATE } as const;
    const lack = waitingFor("clone", { until: LATE, why: "It does not answer." });
    expect(waitingNow(preparing, { at: LATE, data: lack })).toEqual(lack);
    expect(waitingNow(preparing, { at: EARLY, data: lack })).toBeNull();
    expect(waitingNow(preparing, told(LATE))).toBeNull();
    expect(waitingNow(queued, { at: EARLY, data: lack })).toEqual(lack);
  });

  test("is not known if the report cannot be read (promise 5.2)", () => {
    expect(waitingNow(queued, { at: EARLY, data: { reason: "weather" } })).toBeNull();
  });
});

test("a wait is over at its time, and if the clock was set back behind its beginning", () => {
  const wait = { began: EARLY, until: LATE };
  expect(stillWaits(wait, EARLY)).toBe(true);
  expect(stillWaits(wait, LATE)).toBe(false);
  // A day later, and ten years before.
  expect(stillWaits(wait, "2026-01-03T15:30:00.000Z")).toBe(false);
  expect(stillWaits(wait, "2016-01-02T15:30:00.000Z")).toBe(false);
});
