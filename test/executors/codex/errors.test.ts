import { describe, expect, test } from "bun:test";
import { codex } from "../../../src/executors/codex/index.ts";
import type { AgentExit } from "../../../src/executors/shared/executor.ts";
import { agentExit, launchRequest, linesOf } from "../../helpers/agent-streams.ts";

function failureOf(events: readonly object[], exit: Partial<AgentExit> = { code: 1 }) {
  const parser = codex.parser({ request: launchRequest({}), previous: null });
  for (const event of events) parser.feed(JSON.stringify(event));
  const result = parser.finish(agentExit(exit));
  return result.ok ? null : result.failure;
}

const failedTurn = (message: string) => ({ type: "turn.failed", error: { message } });

describe("why Codex failed", () => {
  test("a plan's limit says when it ends", () => {
    const message =
      "You've hit your usage limit. Upgrade to Pro, or try again in 2 days 17 hours 14 minutes.";
    expect(failureOf([failedTurn(message)])).toEqual({
      code: "rate_limited",
      message,
      resumeAt: "2026-11-24T14:14:00.000Z",
      transient: true,
    });
  });

  test("a login that ran out wants a new one", () => {
    const message = "Your access token could not be refreshed. Please log out and sign in again.";
    expect(failureOf([failedTurn(message)])?.code).toBe("auth_required");
  });

  test("a thread that it does not know is a lost session", () => {
    const stderr = "Error: thread/resume failed: no rollout found for thread id 01a1\n";
    expect(failureOf([], { code: 1, stderr })).toMatchObject({ code: "session_lost" });
  });

  test("its own words on stderr explain an end without a turn", () => {
    const stderr = "Reading additional input from stdin...\nError loading config.toml: bad key\nin `x`\n";
    expect(failureOf([], { code: 1, stderr })?.message).toBe(
      "The agent ended without finishing its turn (exit code 1): Error loading config.toml: bad key in `x`",
    );
  });

  test("a retry that succeeded is forgotten", () => {
    const events = [
      { type: "error", message: "Reconnecting... 1/4 (unexpected status 401 Unauthorized)" },
      { type: "item.completed", item: { id: "1", type: "agent_message", text: "Back." } },
    ];
    expect(failureOf(events, { code: null, signal: "SIGTERM" })).toMatchObject({
      code: "agent_failed",
      message: "The agent ended without finishing its turn (signal SIGTERM)",
    });
  });
});

describe("what a run of Codex used", () => {
  test("is all of a fresh thread's count, whatever the lost one had", () => {
    const previous = { inputTokens: 1_000, cachedInputTokens: 0, outputTokens: 9, costUsd: null };
    const parser = codex.parser({ request: launchRequest({}), previous });
    for (const line of linesOf("codex", "success-edit")) parser.feed(line);
    expect(parser.finish(agentExit({})).usage).toMatchObject({ inputTokens: 2_500, outputTokens: 52 });
  });

  test("is the thread's own count if it began anew", () => {
    const parser = codex.parser({
      request: null,
      previous: { inputTokens: 90_000, cachedInputTokens: 0, outputTokens: 9, costUsd: null },
    });
    for (const line of linesOf("codex", "success-edit")) parser.feed(line);
    expect(parser.finish(agentExit({})).usage).toEqual({
      inputTokens: 2_500,
      cachedInputTokens: 1_300,
      outputTokens: 52,
      costUsd: null,
      costEstimated: false,
    });
  });
});

test("a tool that Codex only tells of at its end is announced first", () => {
  const parser = codex.parser({ request: null, previous: null });
  const item = { id: "i", type: "web_search", query: "bun test" };
  expect(parser.feed(JSON.stringify({ type: "item.completed", item }))).toEqual([
    {
      kind: "tool_call",
      id: "i",
      tool: "web_search",
      toolKind: "fetch",
      title: "Search the web for bun test",
      locations: [],
    },
    { kind: "tool_call_update", id: "i", status: "completed", output: null },
  ]);
});

test("a list of what is to do is a plan", () => {
  const parser = codex.parser({ request: null, previous: null });
  const items = [
    { text: "Read", completed: true },
    { text: "Write", completed: false },
  ];
  expect(
    parser.feed(JSON.stringify({ type: "item.updated", item: { id: "t", type: "todo_list", items } })),
  ).toEqual([
    {
      kind: "plan",
      entries: [
        { content: "Read", status: "completed" },
        { content: "Write", status: "pending" },
      ],
    },
  ]);
});
