import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type AgentEvent, TOOL_KINDS } from "../../src/domain/agent/events.ts";
import { createExecutors } from "../../src/executors/registry.ts";
import type { AgentParser, Executor } from "../../src/executors/shared/executor.ts";
import { agentExit, launchRequest, linesOf, streamsOf } from "../helpers/agent-streams.ts";
import { agentLines } from "./acp/streams.ts";

const EXECUTORS = createExecutors({ selfCommand: ["bun", "main.ts"] }).all;

/** Real lines to be cut, mixed and changed. */
const LINES: Readonly<Record<string, readonly string[]>> = {
  "claude-code": streamsOf("claude").flatMap((name) => linesOf("claude", name)),
  codex: streamsOf("codex").flatMap((name) => linesOf("codex", name)),
  gemini: streamsOf("gemini").flatMap((name) => linesOf("gemini", name)),
  opencode: streamsOf("opencode").flatMap((name) => linesOf("opencode", name)),
  acp: streamsOf("acp").flatMap((name) => agentLines(name)),
  command: ["working", "\u001b[31mred\u001b[0m", "  "],
  demo: ["session", "say", "edit", "edited", "done"].map((type) =>
    JSON.stringify({ type, id: "1", text: "t", path: "/workspace/a", summary: "s" }),
  ),
};

const REQUEST = launchRequest({ profile: { command: ["agent"], model: "gpt-5.5" } });

function fresh(executor: Executor): AgentParser {
  return executor.parser({
    request: executor.id === "acp" ? { ...REQUEST, profile: { ...REQUEST.profile, model: null } } : REQUEST,
    previous: { inputTokens: 10, cachedInputTokens: 5, outputTokens: 1, costUsd: 0.5 },
  });
}

/** Why an event must not be shown to people or stored, or null. */
function faultOf(event: AgentEvent): string | null {
  const told = JSON.stringify(event);
  if (told.length > 120_000) return `${event.kind} is ${told.length} characters long`;
  switch (event.kind) {
    case "tool_call":
      if (event.title === "" || event.title.length > 200) return `title of ${event.title.length} characters`;
      if (["\n", "\r", "\u001b"].some((bad) => event.title.includes(bad))) return "title of several lines";
      return TOOL_KINDS.includes(event.toolKind) ? null : `kind ${event.toolKind}`;
    case "tool_call_update":
      if (!["in_progress", "completed", "failed"].includes(event.status)) return `status ${event.status}`;
      return (event.output?.length ?? 0) <= 4_000 ? null : "output too long";
    case "usage":
      return usageFault(event.usage);
    case "session":
    case "message":
    case "thought":
    case "plan":
    case "retry":
    case "permission":
    case "question":
    case "question_withdrawn":
    case "warning":
      return null;
    default:
      return `unknown kind ${JSON.stringify(event satisfies never)}`;
  }
}

function usageFault(usage: object): string | null {
  const bad = Object.entries(usage).filter(
    ([, value]) => typeof value === "number" && !(Number.isFinite(value) && value >= 0),
  );
  return bad.length === 0 ? null : `usage ${JSON.stringify(usage)}`;
}

/** Feeds all lines and closes the run; anything thrown or malformed fails. */
function survive(executor: Executor, lines: readonly string[]): void {
  const parser = fresh(executor);
  const faults = lines
    .flatMap((line) => parser.feed(line))
    .map(faultOf)
    .filter((fault) => fault !== null);
  expect(faults).toEqual([]);
  for (const reply of parser.replies?.() ?? []) {
    expect(reply).not.toContain("\n");
    expect(parser.replyKey?.(reply)).toBeString();
  }
  parser.turnEnded?.();
  const result = parser.finish(agentExit({ code: 1, stderr: "\ud800 last words" }));
  expect(typeof result.ok).toBe("boolean");
  expect(result.summary.length).toBeLessThanOrEqual(50_000);
  if (!result.ok) expect(result.failure.message).toMatch(/^[^\n]{1,500}$/);
}

/** The same value with some leaf or branch replaced by something unexpected. */
function twisted(value: unknown, at: number, by: unknown): unknown {
  let count = 0;
  const walk = (node: unknown): unknown => {
    count += 1;
    if (count === at) return by;
    if (Array.isArray(node)) return node.map(walk);
    if (typeof node !== "object" || node === null) return node;
    return Object.fromEntries(Object.entries(node).map(([key, child]) => [key, walk(child)]));
  };
  return walk(value);
}

const odd = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom<unknown>(-1, 1e308, "x".repeat(100_000), "constructor", "__proto__", [[[]]], {
    toString: 1,
  }),
);

for (const executor of EXECUTORS) {
  const real = LINES[executor.id] ?? [];
  const line = fc.constantFrom(...real);

  describe(`the parser of ${executor.id}`, () => {
    test("survives any text", () => {
      fc.assert(
        fc.property(fc.array(fc.string({ unit: "binary", maxLength: 300 }), { maxLength: 20 }), (lines) =>
          survive(executor, lines),
        ),
      );
    });

    test("survives any JSON", () => {
      fc.assert(fc.property(fc.array(fc.json(), { maxLength: 20 }), (lines) => survive(executor, lines)));
    });

    test("survives real lines in any order, cut anywhere", () => {
      const cut = fc
        .tuple(line, fc.double({ min: 0, max: 1, noNaN: true }))
        .map(([whole, share]) => whole.slice(0, Math.floor(whole.length * share)));
      fc.assert(
        fc.property(fc.array(fc.oneof(line, cut), { maxLength: 40 }), (lines) => survive(executor, lines)),
      );
    });

    test("survives real events in which something is not what it should be", () => {
      const twist = fc.tuple(line, fc.nat({ max: 80 }), odd).map(([whole, at, by]) => {
        const value = whole.startsWith("{") ? JSON.parse(whole) : whole;
        return JSON.stringify(twisted(value, at, by)) ?? "";
      });
      fc.assert(
        fc.property(fc.array(fc.oneof(line, twist), { maxLength: 30 }), (lines) => survive(executor, lines)),
        { numRuns: 200 },
      );
    });

    test("survives depth, length and names of the language itself", () => {
      survive(executor, [
        "[".repeat(200_000),
        `{"type":${"[".repeat(100_000)}${"]".repeat(100_000)}}`,
        `{"__proto__":{"type":"assistant"},"type":"constructor"}`,
        `{"type":"tool_use","tool_name":"constructor","part":{"tool":"__proto__"}}`,
        `{"type":"assistant","message":{"content":[{"type":"tool_use","name":"toString"}]}}`,
        `"${"é".repeat(1_000_000)}"`,
      ]);
    });

    test("keeps little of a long stream", () => {
      const parser = fresh(executor);
      const filler = "y".repeat(20_000);
      const feed = (from: number, to: number) => {
        for (let at = from; at < to; at += 1)
          for (const one of flood(executor.id, at, filler)) parser.feed(one);
      };
      feed(0, 500);
      Bun.gc(true);
      const before = process.memoryUsage().heapUsed;
      feed(500, 3_000);
      Bun.gc(true);
      const grown = process.memoryUsage().heapUsed - before;
      // Some 100 MB went through; what stays is bounded by constants.
      expect(grown).toBeLessThan(25_000_000);
    });
  });
}

/** Lines that a careless parser would remember, each with an id of its own. */
function flood(id: string, at: number, filler: string): readonly string[] {
  const say = (value: unknown) => JSON.stringify(value);
  switch (id) {
    case "claude-code":
      return [
        say({
          type: "assistant",
          message: {
            id: `m${at}`,
            usage: { input_tokens: 1 },
            content: [
              { type: "text", text: filler },
              {
                type: "tool_use",
                id: `t${at}`,
                name: "Write",
                input: { file_path: `/f${at}`, content: filler },
              },
            ],
          },
        }),
      ];
    case "codex":
      return [
        say({ type: "item.started", item: { id: `i${at}`, type: "command_execution", command: filler } }),
        say({ type: "item.completed", item: { id: `m${at}`, type: "agent_message", text: filler } }),
      ];
    case "gemini":
      return [
        say({ type: "message", role: "assistant", delta: true, content: filler }),
        say({
          type: "tool_use",
          tool_id: `t${at}`,
          tool_name: "write_file",
          parameters: { content: filler },
        }),
      ];
    case "opencode":
      return [
        say({ type: "text", part: { text: filler } }),
        say({ type: "tool_use", part: { callID: `c${at}`, tool: "bash", state: { output: filler } } }),
      ];
    case "acp":
      return ["agent_thought_chunk", "agent_message_chunk", "tool_call"].map((sessionUpdate) =>
        say({
          method: "session/update",
          params: {
            update: { sessionUpdate, toolCallId: `t${at}`, title: filler, content: { text: filler } },
          },
        }),
      );
    default:
      return [filler, say({ type: "say", text: filler })];
  }
}
