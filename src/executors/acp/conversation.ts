/** Implements the client side of the Agent Client Protocol as a pure machine: lines in, events and replies out. */

import type { UsageTotals } from "../../domain/agent/counters.ts";
import type { AgentEvent, AgentFailure, AgentResult } from "../../domain/agent/events.ts";
import type { AgentExit, AgentParser, LaunchRequest, ParserOptions, Want } from "../shared/executor.ts";
import { failed, unfinished } from "../shared/failure.ts";
import { isObject, type JsonObject, jsonFeed, list, object, objectOf, text } from "../shared/json.ts";
import { countedBefore } from "../shared/launch.ts";
import { cut, cutText } from "../shared/shorten.ts";
import { type AcpStep, acpRefusal, acpStop, METHODS } from "./errors.ts";
import { type UpdateReader, updateReader } from "./parse-events.ts";
import {
  isAllowed,
  judgePermission,
  type OpenRequests,
  openRequests,
  permissionEvent,
  permissionResult,
  refusedTool,
} from "./permission.ts";
import { acpUsage, type SpentInSession, spentBy, usageEvents } from "./usage.ts";

interface State {
  readonly request: LaunchRequest | null;
  readonly previous: UsageTotals | null;
  updates: UpdateReader;
  readonly replies: string[];
  /** The step that waits for an answer, and the id of its request. */
  step: AcpStep | "ended";
  agent: JsonObject;
  sessionId: string;
  anyEvent: boolean;
  /** After `session/load`, the agent is repeating old turns. */
  replaying: boolean;
  systemError: boolean;
  spent: SpentInSession;
  answer: JsonObject | null;
  /** What a person was asked. */
  readonly open: OpenRequests;
  /** Made at the end, when the time is known. */
  failure: ((endedAt: string) => AgentFailure) | null;
}

/** More questions than an agent can ask: its keeper refuses earlier (`keeper/cut-middle.ts`). */
const MAX_REPLIES = 20_000;

const IDS: Readonly<Record<AcpStep, number>> = { initialize: 0, new: 1, load: 1, model: 2, prompt: 3 };

export function acpConversation(options: ParserOptions): AgentParser {
  const state: State = {
    request: options.request,
    previous: countedBefore(options),
    updates: updateReader(options.request?.worktree ?? null),
    replies: [],
    step: "initialize",
    agent: {},
    sessionId: "",
    anyEvent: false,
    replaying: false,
    systemError: false,
    spent: spentBy(null),
    answer: null,
    open: openRequests(),
    failure: null,
  };
  // No file system is offered: the worktree is on the same disk, and agents make errors with delegated writes.
  const clientCapabilities = { fs: { readTextFile: false, writeTextFile: false }, terminal: false };
  ask(state, "initialize", { protocolVersion: 1, clientCapabilities, clientInfo: CLIENT });
  return {
    feed: jsonFeed((message) => read(state, message)),
    replies: () => (state.request === null ? [] : [...state.replies]),
    replyKey,
    answer: (key, given) => {
      const asked = state.open.take(key);
      return asked === null ? [] : resolve(state, asked, given.option);
    },
    turnEnded: () => state.step === "ended",
    wants,
    finish: (exit) => close(state, exit),
  };
}

/** Our requests and our answers are numbered apart. */
function replyKey(line: string): string {
  const { id, method } = objectOf(line) ?? {};
  return `${typeof method === "string" ? "request" : "answer"} ${JSON.stringify(id)}`;
}

/** Most lines only inform; those are not parsed again. */
function wants(line: string): Want | null {
  const message = line.includes('"id"') ? objectOf(line) : null;
  const { id, method } = message ?? {};
  if (typeof id !== "number" && typeof id !== "string") return null;
  if (typeof method !== "string") return { kind: id === IDS.prompt ? "end" : "next" };
  const error = { code: -32_000, message: "There is no room left to keep what is asked." };
  return { kind: "answer", refusal: JSON.stringify({ jsonrpc: "2.0", id, error }) };
}

const CLIENT = { name: "tazuna", title: "Tazuna", version: "1" };

function reply(state: State, message: JsonObject): void {
  if (state.replies.length < MAX_REPLIES) state.replies.push(JSON.stringify({ jsonrpc: "2.0", ...message }));
}

function ask(state: State, step: AcpStep, params: JsonObject, method = METHODS[step]): void {
  state.step = step;
  reply(state, { id: IDS[step], method, params });
}

function read(state: State, message: JsonObject): readonly AgentEvent[] {
  state.anyEvent = true;
  if (typeof message.method !== "string") return answered(state, message);
  if (message.id !== undefined) return requested(state, message);
  if (message.method === "$/cancel_request")
    return withdrawn(state, state.open.ofRequest(object(message.params).requestId));
  if (message.method !== "session/update") return [];
  return updated(state, object(object(message.params).update));
}

function updated(state: State, update: JsonObject): readonly AgentEvent[] {
  const kind = update.sessionUpdate;
  if (kind === "usage_update") state.spent = spentBy(update) ?? state.spent;
  const codex = object(object(update._meta).codex);
  const status = text(object(codex.threadStatus).type);
  if (status !== "") state.systemError = status === "systemError" || (state.systemError && status === "idle");
  const events = state.updates.read(update);
  // The Gemini CLI answers `session/load` first. Then it repeats the old turns, up to this update.
  if (kind === "available_commands_update" && state.step !== "load") beginPresent(state);
  if (state.replaying) return [];
  const isOver = update.status === "completed" || update.status === "failed";
  return [...events, ...(isOver ? withdrawn(state, state.open.ofTool(update.toolCallId)) : [])];
}

/** From here on the agent's updates are new, and nothing of the old turns is mixed in. */
function beginPresent(state: State): void {
  if (!state.replaying) return;
  state.replaying = false;
  state.updates = updateReader(state.request?.worktree ?? null);
}

/** A request of the agent. We only answer permission requests. */
function requested(state: State, message: JsonObject): readonly AgentEvent[] {
  const { id } = message;
  if (typeof id !== "number" && typeof id !== "string") return [];
  if (message.method !== "session/request_permission") {
    reply(state, { id, error: { code: -32_601, message: "Method not found" } });
    return [];
  }
  // Old turns contain no requests, so new updates have begun.
  beginPresent(state);
  const params = object(message.params);
  const { worktree = "/", approvals = "never" } = state.request ?? {};
  const judged = judgePermission(params, worktree, approvals);
  const told = state.updates.read({ ...object(params.toolCall), sessionUpdate: "tool_call_update" });
  if (judged.by === "person") {
    const key = state.open.add({ id, params });
    return [...told, { kind: "question", key, ...judged.asked }];
  }
  return [
    ...told,
    permissionEvent(id, params, judged.chosen),
    ...resolve(state, { id, params }, judged.chosen),
  ];
}

/** Answers a permission request. */
function resolve(
  state: State,
  { id, params }: { readonly id: string | number; readonly params: JsonObject },
  chosen: string | null,
): readonly AgentEvent[] {
  reply(state, { id, result: permissionResult(chosen) });
  // Not every agent reports the end of a refused tool (the Gemini CLI does not).
  return isAllowed(params, chosen) ? [] : state.updates.read(refusedTool(object(params.toolCall)));
}

/** The agent went on without the answer: what it asked is taken back. */
function withdrawn(state: State, keys: readonly string[]): readonly AgentEvent[] {
  return keys.map((key) => {
    const asked = state.open.take(key);
    if (asked !== null) reply(state, { id: asked.id, result: permissionResult(null) });
    return { kind: "question_withdrawn", key };
  });
}

/** An answer to our one open request. */
function answered(state: State, message: JsonObject): readonly AgentEvent[] {
  const { step } = state;
  if (step === "ended" || message.id !== IDS[step]) return [];
  if (isObject(message.error)) {
    const { error } = message;
    return end(state, (endedAt) => acpRefusal(step, error, endedAt));
  }
  const result = object(message.result);
  switch (step) {
    case "initialize":
      return openSession(state, result);
    case "new":
    case "load":
      return sessionOpened(state, result);
    case "model":
      return prompt(state);
    case "prompt":
      state.answer = result;
      return [
        ...state.updates.flush(),
        ...end(state, null),
        ...usageEvents(result, state.spent, state.previous),
      ];
  }
}

function end(state: State, failure: State["failure"]): readonly AgentEvent[] {
  state.step = "ended";
  state.failure = failure;
  return [];
}

function openSession(state: State, agent: JsonObject): readonly AgentEvent[] {
  state.agent = agent;
  if (state.request === null) return [];
  if (agent.protocolVersion !== 1)
    return end(state, () =>
      failed(
        "agent_failed",
        `The agent speaks version ${String(agent.protocolVersion)} of the protocol, not 1.`,
      ),
    );
  const { worktree: cwd, session, mcp } = state.request;
  const mcpServers = mcp.map(({ name, command, args, env }) => ({
    name,
    command,
    args,
    env: Object.entries(env).map(([key, value]) => ({ name: key, value })),
  }));
  if (session.resume === null) {
    ask(state, "new", { cwd, mcpServers });
    return [];
  }
  if (object(agent.agentCapabilities).loadSession !== true)
    return end(state, () => failed("session_lost", "The agent cannot load earlier sessions."));
  state.replaying = true;
  ask(state, "load", { sessionId: session.resume, cwd, mcpServers });
  return [];
}

function sessionOpened(state: State, result: JsonObject): readonly AgentEvent[] {
  if (state.request === null) return [];
  const loaded = state.step === "load" ? state.request.session.resume : null;
  state.sessionId = loaded ?? cut(text(result.sessionId), 500);
  if (object(state.agent.agentInfo).name !== "gemini-cli") beginPresent(state);
  const { model } = state.request.profile;
  const session: AgentEvent = { kind: "session", sessionId: state.sessionId, model };
  if (state.sessionId === "")
    return end(state, () => failed("agent_failed", "The agent opened a session without an id."));
  if (model === null) return [session, ...prompt(state)];
  return [session, ...chooseModel(state, result, model)];
}

/** Uses a configuration option if the agent has one for the model, else the older list of models. */
function chooseModel(state: State, result: JsonObject, model: string): readonly AgentEvent[] {
  const { sessionId } = state;
  const option = list(result.configOptions)
    .map(object)
    .find((candidate) => candidate.category === "model");
  // The protocol lets an agent put its options into groups.
  const offers = (entries: unknown, key: string): boolean =>
    list(entries)
      .map(object)
      .some((entry) => entry[key] === model || list(entry.options).some((one) => object(one)[key] === model));
  if (option !== undefined && offers(option.options, "value")) {
    ask(state, "model", { sessionId, configId: text(option.id), value: model }, "session/set_config_option");
    return [];
  }
  if (offers(object(result.models).availableModels, "modelId")) {
    ask(state, "model", { sessionId, modelId: model });
    return [];
  }
  return end(state, () => failed("agent_failed", `The agent does not offer the model ${model}.`));
}

function prompt(state: State): readonly AgentEvent[] {
  const { sessionId } = state;
  ask(state, "prompt", { sessionId, prompt: [{ type: "text", text: state.request?.prompt ?? "" }] });
  return [];
}

function close(state: State, exit: AgentExit): AgentResult {
  const summary = cutText(state.updates.lastText()).trim();
  const shared = { summary, ...acpUsage(state.answer, state.spent, state.previous) };
  const failure = failureOf(state, exit, summary);
  return failure === null ? { ok: true, ...shared } : { ok: false, failure, ...shared };
}

function failureOf(state: State, exit: AgentExit, lastText: string): AgentFailure | null {
  if (state.failure !== null) return state.failure(exit.endedAt);
  if (state.answer === null) return unfinished(exit, state);
  const { systemError } = state;
  return acpStop(state.answer, { systemError, lastText, endedAt: exit.endedAt });
}
