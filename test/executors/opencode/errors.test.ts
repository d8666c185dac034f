import { describe, expect, test } from "bun:test";
import { opencode } from "../../../src/executors/opencode/index.ts";
import type { AgentExit } from "../../../src/executors/shared/executor.ts";
import { agentExit, launchRequest, linesOf } from "../../helpers/agent-streams.ts";

function failureOf(events: readonly object[], exit: Partial<AgentExit> = { code: 1 }) {
  const parser = opencode.parser({ request: launchRequest({}), previous: null });
  for (const event of events) parser.feed(JSON.stringify(event));
  const result = parser.finish(agentExit(exit));
  return result.ok ? null : result.failure;
}

const failedBy = (data: object, name = "APIError") => ({
  type: "error",
  sessionID: "s",
  error: { name, data },
});
const stepped = (reason: string) => ({ type: "step_finish", sessionID: "s", part: { reason, tokens: {} } });

describe("why opencode failed", () => {
  test("a limit ends when the provider's header says", () => {
    const data = {
      message: "slow down",
      statusCode: 429,
      isRetryable: true,
      responseHeaders: { "retry-after": "120" },
    };
    expect(failureOf([failedBy(data)])).toEqual({
      code: "rate_limited",
      message: "slow down",
      resumeAt: "2026-11-21T21:02:00.000Z",
      transient: true,
    });
  });

  test("a provider without a key wants a login, an unknown session is lost", () => {
    expect(failureOf([failedBy({ message: "no key" }, "ProviderAuthError")])?.code).toBe("auth_required");
    expect(failureOf([failedBy({ message: "Session not found: ses_1" }, "NotFoundError")])?.code).toBe(
      "session_lost",
    );
    expect(failureOf([], { code: 1, stderr: "Error: Session not found\n" })?.code).toBe("session_lost");
  });

  test("a step that is not the last is no end, whatever the exit code", () => {
    expect(failureOf([stepped("tool-calls")], { code: 0 })?.code).toBe("agent_failed");
    expect(failureOf([stepped("length")], { code: 0 })?.message).toBe("The model stopped early (length).");
    expect(failureOf([stepped("stop"), { type: "step_start", sessionID: "s" }], { code: 0 })?.code).toBe(
      "agent_failed",
    );
  });

  test("an error that a finished step followed is over, one after it is not", () => {
    const error = failedBy({ message: "overloaded", statusCode: 503, isRetryable: true });
    expect(failureOf([error, stepped("stop")], { code: 0 })).toBeNull();
    expect(failureOf([stepped("stop"), error])).toMatchObject({ code: "agent_failed", transient: true });
  });

  test("a database of its own that another one holds is worth another start, at the start and in a turn", () => {
    const atTheStart = "\u001b[91m\u001b[1mError: \u001b[0mUnexpected error\n\ndatabase is locked\n";
    expect(failureOf([], { code: 1, stderr: atTheStart })).toEqual({
      code: "agent_failed",
      message: "opencode ended over the database that all its processes share (`tazuna logs` has its words).",
      resumeAt: "2026-11-21T21:00:03.000Z",
      transient: true,
    });
    const failedQuery =
      'Error: Unexpected error\n\nFailed query: insert into "project" values (?)\nparams: a\n';
    expect(failureOf([], { code: 1, stderr: failedQuery })?.transient).toBe(true);
    const turn = [
      stepped("tool-calls"),
      failedBy({ message: "Failed to execute statement" }, "UnknownError"),
      failedBy({ message: "Unexpected server error. Check server logs for details." }, "UnknownError"),
    ];
    expect(failureOf(turn)).toMatchObject({ code: "agent_failed", transient: true });
    expect(failureOf(turn.slice(0, 2))).toMatchObject({ code: "agent_failed", transient: true });
    const another = atTheStart.replace("database is locked", "no such table");
    expect(failureOf([], { code: 1, stderr: another })).toMatchObject({
      message:
        "The agent ended without finishing its turn (exit code 1): Error: Unexpected error no such table",
      transient: false,
    });
  });
});

test("opencode's session is told once", () => {
  const parser = opencode.parser({ request: null, previous: null });
  const told = linesOf("opencode", "success-edit").flatMap((line) => parser.feed(line));
  expect(told.filter(({ kind }) => kind === "session")).toHaveLength(1);
  expect(parser.finish(agentExit({})).ok).toBe(true);
});
