import { describe, expect, test } from "bun:test";
import { acp } from "../../../src/executors/acp/index.ts";
import type { AgentParser, LaunchRequest } from "../../../src/executors/shared/executor.ts";
import { agentExit, launchRequest } from "../../helpers/agent-streams.ts";

const COMMAND = { command: ["agent", "--acp"] };

const start = (more: Parameters<typeof launchRequest>[0] = {}): AgentParser =>
  acp.parser({ request: launchRequest({ profile: COMMAND, ...more }), previous: null });

const answer = (parser: AgentParser, id: number, result: object) =>
  parser.feed(JSON.stringify({ jsonrpc: "2.0", id, result }));

const refuse = (parser: AgentParser, id: number, error: object) =>
  parser.feed(JSON.stringify({ jsonrpc: "2.0", id, error }));

const said = (parser: AgentParser) => (parser.replies?.() ?? []).map((line) => JSON.parse(line));

const AGENT = { protocolVersion: 1, agentCapabilities: { loadSession: true } };

/** A conversation in which the prompt was just sent. */
function prompted(more: Parameters<typeof launchRequest>[0] = {}): AgentParser {
  const parser = start(more);
  answer(parser, 0, AGENT);
  answer(parser, 1, { sessionId: "s1" });
  return parser;
}

function ask(parser: AgentParser, toolCall: object, options: readonly object[] = OPTIONS) {
  const before = said(parser).length;
  const params = { sessionId: "s1", toolCall, options };
  const message = { jsonrpc: "2.0", id: "q1", method: "session/request_permission", params };
  parser.feed(JSON.stringify(message));
  return said(parser)[before]?.result.outcome;
}

const OPTIONS = [
  { optionId: "always", name: "Always", kind: "allow_always" },
  { optionId: "once", name: "Yes", kind: "allow_once" },
  { optionId: "no", name: "No", kind: "reject_once" },
];

describe("the launch over ACP", () => {
  test("is the configured program; lines are appended to its stdin", () => {
    const profile = { command: ["/opt/agent", "--acp"], args: ["-v"], env: { A: "1" }, home: "/second" };
    expect(acp.plan(launchRequest({ profile }))).toEqual({
      argv: ["/opt/agent", "--acp", "-v"],
      env: {
        A: "1",
        HOME: "/second",
        USERPROFILE: "/second",
        XDG_CONFIG_HOME: "/second/.config",
        XDG_DATA_HOME: "/second/.local/share",
        XDG_STATE_HOME: "/second/.local/state",
        XDG_CACHE_HOME: "/second/.cache",
      },
      stdin: "lines",
      files: [],
      sessionId: null,
    });
  });
});

describe("the conversation over ACP", () => {
  test("opens with our version and no capability, before a line was read", () => {
    expect(said(start())).toEqual([
      {
        jsonrpc: "2.0",
        id: 0,
        method: "initialize",
        params: {
          protocolVersion: 1,
          clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
          clientInfo: { name: "tazuna", title: "Tazuna", version: "1" },
        },
      },
    ]);
  });

  test("hands over the worktree, the MCP servers and the whole prompt", () => {
    const mcp = [{ name: "tazuna", command: "/bin/tazuna", args: ["mcp"], env: { A: "b" }, inherit: [] }];
    const parser = prompted({ mcp, prompt: "第一\n第二" });
    expect(said(parser).slice(1)).toEqual([
      {
        jsonrpc: "2.0",
        id: 1,
        method: "session/new",
        params: {
          cwd: "/workspace",
          mcpServers: [
            { name: "tazuna", command: "/bin/tazuna", args: ["mcp"], env: [{ name: "A", value: "b" }] },
          ],
        },
      },
      {
        jsonrpc: "2.0",
        id: 3,
        method: "session/prompt",
        params: { sessionId: "s1", prompt: [{ type: "text", text: "第一\n第二" }] },
      },
    ]);
  });

  test("chooses the model by the agent's option for it, else by its list of models", () => {
    const profile = { ...COMMAND, model: "m2" };
    const byOption = start({ profile });
    answer(byOption, 0, AGENT);
    const option = { id: "mdl", category: "model", options: [{ value: "m1" }, { value: "m2" }] };
    answer(byOption, 1, { sessionId: "s1", configOptions: [option] });
    expect(said(byOption).at(-1)).toMatchObject({
      id: 2,
      method: "session/set_config_option",
      params: { sessionId: "s1", configId: "mdl", value: "m2" },
    });
    answer(byOption, 2, {});
    expect(said(byOption).at(-1)?.method).toBe("session/prompt");

    const byList = start({ profile });
    answer(byList, 0, AGENT);
    answer(byList, 1, { sessionId: "s1", models: { availableModels: [{ modelId: "m2" }] } });
    expect(said(byList).at(-1)).toMatchObject({ method: "session/set_model", params: { modelId: "m2" } });
  });

  test("finds the model in a group of the agent's option", () => {
    const parser = start({ profile: { ...COMMAND, model: "m2" } });
    answer(parser, 0, AGENT);
    const groups = [
      { group: "old", name: "Old", options: [{ value: "m1", name: "One" }] },
      { group: "new", name: "New", options: [{ value: "m2", name: "Two" }] },
    ];
    const option = { id: "mdl", name: "Model", category: "model", type: "select", options: groups };
    answer(parser, 1, { sessionId: "s1", configOptions: [option] });
    expect(said(parser).at(-1)).toMatchObject({ params: { configId: "mdl", value: "m2" } });
  });

  test("does not work with another model than the one asked for", () => {
    const parser = start({ profile: { ...COMMAND, model: "m9" } });
    answer(parser, 0, AGENT);
    answer(parser, 1, { sessionId: "s1" });
    expect(parser.turnEnded?.()).toBe(true);
    expect(parser.finish(agentExit({}))).toMatchObject({
      ok: false,
      failure: { code: "agent_failed", message: "The agent does not offer the model m9." },
    });
  });
});

describe("permission, without a person", () => {
  const allowed: readonly object[] = [
    { toolCallId: "1", kind: "execute", title: "npm test", rawInput: { command: "npm test" } },
    { toolCallId: "1", kind: "execute", title: "git status && git log -3" },
    { toolCallId: "1", kind: "edit", title: "Write a", locations: [{ path: "/workspace/src/a.ts" }] },
    { toolCallId: "1", kind: "read", title: "Read", locations: [{ path: "/etc/hosts" }] },
    { toolCallId: "1", kind: "edit", title: "Commit to git commit", locations: [{ path: "a.ts" }] },
    {},
  ];
  for (const call of allowed)
    test(`allows once: ${JSON.stringify(call)}`, () => {
      expect(ask(prompted(), call)).toEqual({ outcome: "selected", optionId: "once" });
    });

  const refused: readonly object[] = [
    { kind: "execute", rawInput: { command: "cd . && git -c user.name=x commit -m y" } },
    { kind: "execute", rawInput: { command: ["bash", "-lc", "git push origin HEAD"] } },
    { kind: "other", rawInput: { command: "/usr/bin/git stash" } },
    { kind: "execute", title: "git reset --hard HEAD~1" },
    { kind: "edit", locations: [{ path: "/home/user/checkout/a.ts" }] },
    { kind: "edit", content: [{ type: "diff", path: "/workspace/../other/a.ts" }] },
    { kind: "delete", locations: [{ path: "/workspace-b/a.ts" }] },
  ];
  for (const call of refused)
    test(`refuses: ${JSON.stringify(call)}`, () => {
      expect(ask(prompted(), { toolCallId: "1", ...call })).toEqual({ outcome: "selected", optionId: "no" });
    });

  test("tells that a refused tool is over, for not every agent does", () => {
    const parser = prompted();
    const toolCall = { toolCallId: "t1", kind: "execute", title: "git stash" };
    const params = { sessionId: "s1", toolCall, options: OPTIONS };
    const events = parser.feed(JSON.stringify({ id: 7, method: "session/request_permission", params }));
    expect(events.map(({ kind }) => kind)).toEqual(["tool_call", "permission", "tool_call_update"]);
    expect(events.at(1)).toMatchObject({ id: "7", title: "git stash", chosen: "no" });
    expect(events.at(2)).toMatchObject({ id: "t1", status: "failed" });
  });

  test("takes the question back if no option fits", () => {
    expect(ask(prompted(), { kind: "read" }, [{ optionId: "x", kind: "reject_once" }])).toEqual({
      outcome: "cancelled",
    });
  });

  test("falls back to always if once is not offered", () => {
    expect(ask(prompted(), { kind: "read" }, [{ optionId: "x", kind: "allow_always" }])).toEqual({
      outcome: "selected",
      optionId: "x",
    });
  });
});

describe("how a turn over ACP ends", () => {
  const ends: readonly (readonly [string, (parser: AgentParser) => void, object])[] = [
    [
      "an agent without a login",
      (parser) => {
        answer(parser, 0, AGENT);
        refuse(parser, 1, { code: -32_000, message: "Authentication required" });
      },
      { code: "auth_required", message: "Authentication required" },
    ],
    [
      "another version of the protocol",
      (parser) => answer(parser, 0, { protocolVersion: 2 }),
      { code: "agent_failed", message: "The agent speaks version 2 of the protocol, not 1." },
    ],
    [
      "an overloaded model",
      (parser) => {
        answer(parser, 0, AGENT);
        answer(parser, 1, { sessionId: "s1" });
        refuse(parser, 3, { code: -32_603, message: "Internal error", data: { errorKind: "overloaded" } });
      },
      { code: "agent_failed", transient: true },
    ],
    [
      "a refusal of the model",
      (parser) => {
        answer(parser, 0, AGENT);
        answer(parser, 1, { sessionId: "s1" });
        answer(parser, 3, { stopReason: "refusal" });
      },
      { code: "agent_failed", message: "The agent stopped early (refusal)." },
    ],
  ];
  for (const [name, talk, failure] of ends)
    test(`with ${name}`, () => {
      const parser = start();
      talk(parser);
      expect(parser.turnEnded?.()).toBe(true);
      expect(parser.finish(agentExit({}))).toMatchObject({ ok: false, failure });
    });

  test("with a session that is gone, or that the agent cannot load at all", () => {
    const resumed = { session: { resume: "old", fresh: "unused" } };
    const gone = start(resumed);
    answer(gone, 0, AGENT);
    refuse(gone, 1, { code: -32_602, message: "Unknown session" });
    const unable = start(resumed);
    answer(unable, 0, { protocolVersion: 1, agentCapabilities: {} });
    for (const parser of [gone, unable]) {
      expect(parser.turnEnded?.()).toBe(true);
      expect(parser.finish(agentExit({}))).toMatchObject({ ok: false, failure: { code: "session_lost" } });
    }
  });

  test("without an end, if the process dies in the middle", () => {
    const parser = prompted();
    expect(parser.turnEnded?.()).toBe(false);
    expect(parser.finish(agentExit({ code: 1, stderr: "panic\n" }))).toMatchObject({
      ok: false,
      failure: {
        code: "agent_failed",
        message: "The agent ended without finishing its turn (exit code 1): panic",
      },
    });
  });

  test("once: what comes after it is ignored", () => {
    const parser = prompted();
    answer(parser, 3, { stopReason: "end_turn", usage: {} });
    refuse(parser, 3, { code: 1, message: "late" });
    expect(parser.finish(agentExit({})).ok).toBe(true);
  });
});

test("a recorded stream tells its events without the request that began it", () => {
  const parser = acp.parser({ request: null, previous: null });
  const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Hi" } };
  const events = parser.feed(JSON.stringify({ method: "session/update", params: { update } }));
  expect(events).toEqual([{ kind: "message", text: "Hi", delta: false }]);
  expect(parser.replies?.()).toEqual([]);
});

test("a request that resumes asks for the old session", () => {
  const request: LaunchRequest = launchRequest({ profile: COMMAND, session: { resume: "old", fresh: "x" } });
  expect(acp.plan(request).sessionId).toBe("old");
});
