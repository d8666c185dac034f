import { describe, expect, test } from "bun:test";
import { gemini } from "../../../src/executors/gemini/index.ts";
import type { AgentExit } from "../../../src/executors/shared/executor.ts";
import { agentExit, launchRequest } from "../../helpers/agent-streams.ts";

function failureOf(events: readonly object[], exit: Partial<AgentExit>, resume: string | null = null) {
  const request = launchRequest({ session: { resume, fresh: "fresh" } });
  const parser = gemini.parser({ request, previous: null });
  for (const event of events) parser.feed(JSON.stringify(event));
  const result = parser.finish(agentExit(exit));
  return result.ok ? null : result.failure;
}

const closed = (message: string) => ({ type: "result", status: "error", error: { message } });

describe("why the Gemini CLI failed", () => {
  test("no way to log in was chosen", () => {
    const stderr = "Please set an Auth method in your settings.json\n";
    expect(failureOf([], { code: 41, stderr })).toMatchObject({
      code: "auth_required",
      message: "Please set an Auth method in your settings.json",
    });
  });

  test("a session that it cannot resume is lost; the same exit code of a first run is not", () => {
    const exit = { code: 42, stderr: "Error resuming session: Invalid session identifier\n" };
    expect(failureOf([], exit, "old")?.code).toBe("session_lost");
    expect(failureOf([], exit)?.code).toBe("agent_failed");
  });

  test("a quota says when it ends", () => {
    const message = "[API Error: You exceeded your current quota. Please retry in 34s.]";
    expect(failureOf([closed(message)], { code: 173 })).toEqual({
      code: "rate_limited",
      message: "You exceeded your current quota. Please retry in 34s.",
      resumeAt: "2026-11-21T21:00:34.000Z",
      transient: true,
    });
  });

  test("the status stands in the words if the exit code says nothing", () => {
    const message = '[API Error: {"error":{"code":403,"message":"denied","status":"PERMISSION_DENIED"}}]';
    expect(failureOf([closed(message)], { code: 1 })).toMatchObject({
      code: "auth_required",
      message: "denied",
    });
  });

  test("exit code 0 without a closing event is no success", () => {
    expect(failureOf([{ type: "init", session_id: "s" }], { code: 0 })?.code).toBe("agent_failed");
  });
});
