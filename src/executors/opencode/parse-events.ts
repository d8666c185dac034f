/** Reads the JSON stream of opencode (`opencode run --format json`). */

import type { Usage } from "../../domain/agent/counters.ts";
import type { AgentEvent, AgentResult } from "../../domain/agent/events.ts";
import { addUsage, NO_USAGE } from "../../domain/agent/usage.ts";
import type { AgentExit, AgentParser, ParserOptions } from "../shared/executor.ts";
import { amount, amountOrNull, type JsonObject, jsonFeed, object, text } from "../shared/json.ts";
import { plansOf } from "../shared/plan.ts";
import { cut, cutText, oneLine } from "../shared/shorten.ts";
import { toolCall, toolUpdate } from "../shared/tool-call.ts";
import { opencodeFailure } from "./errors.ts";

interface State {
  readonly worktree: string | null;
  readonly model: string | null;
  anyEvent: boolean;
  sessionId: string;
  lastText: string;
  lastReason: string | null;
  error: JsonObject | null;
  usage: Usage | null;
}

export function opencodeParser(options: ParserOptions): AgentParser {
  const state: State = {
    worktree: options.request?.worktree ?? null,
    model: options.request?.profile.model ?? null,
    anyEvent: false,
    sessionId: "",
    lastText: "",
    lastReason: null,
    error: null,
    usage: null,
  };
  return {
    feed: jsonFeed((event) => [...session(state, event), ...read(state, event)]),
    finish: (exit) => close(state, exit),
  };
}

/** Every event carries the session's id; the first one is used. */
function session(state: State, event: JsonObject): readonly AgentEvent[] {
  state.anyEvent = true;
  const sessionId = cut(text(event.sessionID), 200);
  if (sessionId === "" || state.sessionId !== "") return [];
  state.sessionId = sessionId;
  return [{ kind: "session", sessionId, model: state.model }];
}

function read(state: State, event: JsonObject): readonly AgentEvent[] {
  const part = object(event.part);
  switch (event.type) {
    case "step_start":
      state.lastReason = null;
      return [];
    case "text":
      return message(state, cutText(text(part.text)));
    case "reasoning":
      return text(part.text) === "" ? [] : [{ kind: "thought", text: cutText(text(part.text)) }];
    case "tool_use":
      return toolEvents(state, part);
    case "step_finish":
      return stepFinished(state, part);
    case "error":
      return failedEvent(state, object(event.error));
    default:
      return [];
  }
}

function message(state: State, content: string): readonly AgentEvent[] {
  if (content === "") return [];
  state.lastText = content;
  return [{ kind: "message", text: content, delta: false }];
}

/** A tool is reported when it is done, so call and outcome come together. */
function toolEvents(state: State, part: JsonObject): readonly AgentEvent[] {
  const outcome = object(part.state);
  const id = cut(text(part.callID), 200);
  const output = text(outcome.output) || text(outcome.error);
  const use = { tool: text(part.tool), input: object(outcome.input) };
  return [
    toolCall({ id, ...use, worktree: state.worktree }),
    ...plansOf(use),
    {
      ...toolUpdate(id, outcome.status === "completed" ? "completed" : "failed", output),
      ...timeOf(object(outcome.time)),
    },
  ];
}

/** Its own times are the only ones: the line comes when the call is over. */
function timeOf({ start, end }: JsonObject): { readonly durationMs?: number } {
  const isTold = typeof start === "number" && typeof end === "number" && end >= start;
  return isTold ? { durationMs: Math.round(end - start) } : {};
}

function stepFinished(state: State, part: JsonObject): readonly AgentEvent[] {
  state.lastReason = oneLine(text(part.reason), 100);
  state.error = null;
  const tokens = object(part.tokens);
  const cache = object(tokens.cache);
  state.usage = addUsage(state.usage ?? NO_USAGE, {
    inputTokens: amount(tokens.input) + amount(cache.read) + amount(cache.write),
    cachedInputTokens: amount(cache.read),
    outputTokens: amount(tokens.output) + amount(tokens.reasoning),
    costUsd: amountOrNull(part.cost),
    costEstimated: false,
  });
  return [{ kind: "usage", usage: state.usage }];
}

function failedEvent(state: State, error: JsonObject): readonly AgentEvent[] {
  state.error = error;
  const line = oneLine(text(object(error.data).message) || text(error.name), 500);
  return line === "" ? [] : [{ kind: "warning", text: line }];
}

function close(state: State, exit: AgentExit): AgentResult {
  const failure = opencodeFailure(state, exit);
  const shared = { summary: state.lastText.trim(), usage: state.usage, totals: null };
  return failure === null ? { ok: true, ...shared } : { ok: false, failure, ...shared };
}
