import { describe, expect, test } from "bun:test";
import type { AgentResult } from "../../../src/domain/agent/events.ts";
import { claudeCode } from "../../../src/executors/claude-code/index.ts";
import type { AgentExit } from "../../../src/executors/shared/executor.ts";
import { agentExit, launchRequest, linesOf } from "../../helpers/agent-streams.ts";

const synthetic = (error: string, words: string, more: object = {}) => ({
  type: "assistant",
  error,
  message: { model: "<synthetic>", content: [{ type: "text", text: words }] },
  ...more,
});

const apiError = (words: string, status: number | null) => ({
  type: "result",
  subtype: "success",
  is_error: true,
  terminal_reason: "api_error",
  api_error_status: status,
  result: words,
});

function outcome(events: readonly object[], exit: Partial<AgentExit> = { code: 1 }): AgentResult {
  const parser = claudeCode.parser({ request: launchRequest({}), previous: null });
  for (const event of events) parser.feed(JSON.stringify(event));
  return parser.finish(agentExit(exit));
}

const failureOf = (events: readonly object[], exit?: Partial<AgentExit>) => {
  const result = outcome(events, exit);
  return result.ok ? null : result.failure;
};

describe("why Claude Code failed", () => {
  test("a subscription's limit says when it ends, in the refused request's own record", () => {
    const rate_limit_info = { status: "rejected", resetsAt: 1795302000, rateLimitType: "five_hour" };
    const words = "You've hit your limit · resets 2pm (Asia/Shanghai)";
    expect(failureOf([synthetic("rate_limit", words, { rate_limit_info }), apiError(words, 429)])).toEqual({
      code: "rate_limited",
      message: words,
      resumeAt: "2026-11-21T23:00:00.000Z",
      transient: true,
    });
  });

  test("or in the event before it; a mere warning is none", () => {
    const event = (status: string) => ({
      type: "rate_limit_event",
      rate_limit_info: { status, resetsAt: 1795302000 },
    });
    const limit = [synthetic("rate_limit", "Limit."), apiError("Limit.", 429)];
    expect(failureOf([event("rejected"), ...limit])?.resumeAt).toBe("2026-11-21T23:00:00.000Z");
    expect(failureOf([event("allowed_warning"), ...limit])?.resumeAt).toBeNull();
  });

  test("or in its words", () => {
    const words = "You've hit your limit · resets 11:30pm (UTC)";
    expect(failureOf([synthetic("rate_limit", words), apiError(words, null)])?.resumeAt).toBe(
      "2026-11-21T23:30:00.000Z",
    );
  });

  test("no key, an organisation without access, a cloud without credentials: all want a login", () => {
    for (const error of ["authentication_failed", "oauth_org_not_allowed", "cloud_credential_error"])
      expect(failureOf([synthetic(error, "Not logged in"), apiError("Not logged in", null)])?.code).toBe(
        "auth_required",
      );
  });

  test("no connection and overload may pass, a bad model does not", () => {
    const pairs = ["server_error", "overloaded", "model_not_found", "billing_error"].map((error) => [
      error,
      failureOf([synthetic(error, "x"), apiError("x", null)])?.transient,
    ]);
    expect(pairs).toEqual([
      ["server_error", true],
      ["overloaded", true],
      ["model_not_found", false],
      ["billing_error", false],
    ]);
  });

  test("a session that another process holds is lost to us", () => {
    const stderr = "Error: Session ID 11111111-2222-4333-8444-555555555555 is already in use.\n";
    expect(failureOf([], { code: 1, stderr })?.code).toBe("session_lost");
  });

  test("exit code 0 without a closing event is no success", () => {
    const failure = failureOf([{ type: "assistant", message: { content: [{ type: "text", text: "Hi" }] } }], {
      code: 0,
    });
    expect(failure).toMatchObject({
      code: "agent_failed",
      message: "The agent ended without finishing its turn (exit code 0)",
    });
  });

  test("a program that could not be started is not found", () => {
    expect(failureOf([], { code: 127, stderr: "sh: claude: not found" })).toMatchObject({
      code: "agent_not_found",
      message: "The agent's program could not be started (exit code 127): sh: claude: not found",
    });
  });

  test("a closing event that says success holds, however the process went down afterwards", () => {
    const lines = linesOf("claude", "success-edit");
    const parser = claudeCode.parser({ request: null, previous: null });
    for (const line of lines) parser.feed(line);
    expect(parser.finish(agentExit({ code: null, signal: "SIGKILL" })).ok).toBe(true);
  });
});

describe("what a run of Claude Code used", () => {
  test("is the difference to the earlier runs if the CLI only counts on", () => {
    const parser = claudeCode.parser({
      request: null,
      previous: { inputTokens: 3_800, cachedInputTokens: 1_300, outputTokens: 52, costUsd: 0.5 },
    });
    for (const line of linesOf("claude", "resumed")) {
      const event = JSON.parse(line);
      delete event.model_usage_since_last_result;
      parser.feed(JSON.stringify({ ...event, ...(event.type === "result" ? { total_cost_usd: 0.75 } : {}) }));
    }
    expect(parser.finish(agentExit({}))).toMatchObject({
      usage: { inputTokens: 2_600, cachedInputTokens: 1_200, outputTokens: 9, costUsd: 0.25 },
      totals: { inputTokens: 6_400, cachedInputTokens: 2_500, outputTokens: 61, costUsd: 0.75 },
    });
  });

  test("keeps the session's totals if a failed run names none", () => {
    const previous = { inputTokens: 5, cachedInputTokens: 1, outputTokens: 2, costUsd: 0.1 };
    const parser = claudeCode.parser({ request: null, previous });
    for (const line of linesOf("claude", "error-401")) parser.feed(line);
    expect(parser.finish(agentExit({ code: 1 })).totals).toEqual(previous);
  });
});

describe("what Claude Code says beside its own work", () => {
  test("a nested agent's words are thoughts, and never the summary", () => {
    const parser = claudeCode.parser({ request: null, previous: null });
    const say = (words: string, parent: string | null) =>
      parser.feed(
        JSON.stringify({
          type: "assistant",
          parent_tool_use_id: parent,
          message: { id: words, content: [{ type: "text", text: words }] },
        }),
      );
    expect(say("I look around.", null)).toEqual([{ kind: "message", text: "I look around.", delta: false }]);
    expect(say("Found it.", "toolu_1")).toEqual([{ kind: "thought", text: "Found it." }]);
    expect(parser.finish(agentExit({})).summary).toBe("I look around.");
  });

  test("an MCP server that did not start, and words between the events, are warnings", () => {
    const parser = claudeCode.parser({ request: null, previous: null });
    const init = {
      type: "system",
      subtype: "init",
      session_id: "s",
      model: "m",
      mcp_servers: [{ name: "lab", status: "failed" }],
    };
    expect(parser.feed(JSON.stringify(init))).toEqual([
      { kind: "session", sessionId: "s", model: "m" },
      { kind: "warning", text: "The MCP server lab did not start." },
    ]);
    expect(parser.feed("npm warn deprecated")).toEqual([{ kind: "warning", text: "npm warn deprecated" }]);
    expect(parser.feed('{"type":"assist')).toEqual([]);
    expect(parser.feed("")).toEqual([]);
  });
});
