import { describe, expect, test } from "bun:test";
import { resumeTime } from "../../../src/domain/run/resume-time.ts";

const now = new Date("2026-11-21T21:00:00.000Z");
const AFTER_A_MINUTE = "2026-11-21T21:01:00.000Z";
const facts = (restarts: number) => ({ now, pauseMs: 60_000, restarts });

describe("when an agent is started again", () => {
  test("after the pause, if no better time is known", () => {
    for (const code of ["rate_limited", "agent_failed"] as const)
      expect(resumeTime({ code, resumeAt: null }, facts(0))).toBe(AFTER_A_MINUTE);
  });

  test("a limit at the time that its provider said, never before the pause is over", () => {
    const limit = (resumeAt: string) => resumeTime({ code: "rate_limited", resumeAt }, facts(0));
    expect(limit("2026-11-21T23:00:00.000Z")).toBe("2026-11-21T23:00:00.000Z");
    expect(limit("2026-11-21T21:00:03.000Z")).toBe(AFTER_A_MINUTE);
    expect(limit("2026-11-21T20:00:00.000Z")).toBe(AFTER_A_MINUTE);
  });

  test("another fault as soon as it may have passed, once", () => {
    const fault = { code: "agent_failed", resumeAt: "2026-11-21T21:00:03.000Z" } as const;
    expect(resumeTime(fault, facts(0))).toBe("2026-11-21T21:00:03.000Z");
    expect(resumeTime(fault, facts(1))).toBe(AFTER_A_MINUTE);
  });
});
