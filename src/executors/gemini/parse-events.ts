/** Reads the JSON stream of the Gemini CLI (`--output-format stream-json`). */

import type { Usage } from "../../domain/agent/counters.ts";
import type { AgentEvent, AgentResult } from "../../domain/agent/events.ts";
import { estimateCost, type TokenCounts } from "../../domain/agent/prices.ts";
import type { AgentExit, AgentParser, ParserOptions } from "../shared/executor.ts";
import { amount, isObject, type JsonObject, jsonFeed, object, text, textOrNull } from "../shared/json.ts";
import { plansOf } from "../shared/plan.ts";
import { cut, cutText, oneLine } from "../shared/shorten.ts";
import { toolCall, toolUpdate } from "../shared/tool-call.ts";
import { geminiFailure } from "./errors.ts";

interface State {
  readonly worktree: string | null;
  readonly resumed: boolean;
  anyEvent: boolean;
  /** The message that grows piece by piece, or the last one. */
  lastText: string;
  inMessage: boolean;
  status: string | null;
  errorMessage: string;
  lastWarning: string;
  usage: Usage | null;
  /** The model at the beginning of the session. */
  model: string | null;
}

export function geminiParser(options: ParserOptions): AgentParser {
  const state: State = {
    worktree: options.request?.worktree ?? null,
    resumed: options.request !== null && options.request.session.resume !== null,
    anyEvent: false,
    lastText: "",
    inMessage: false,
    status: null,
    errorMessage: "",
    lastWarning: "",
    usage: null,
    model: null,
  };
  return { feed: jsonFeed((event) => read(state, event)), finish: (exit) => close(state, exit) };
}

function read(state: State, event: JsonObject): readonly AgentEvent[] {
  state.anyEvent = true;
  if (event.type === "message") return pieces(state, event);
  state.inMessage = false;
  switch (event.type) {
    case "init":
      state.model = textOrNull(event.model);
      return [{ kind: "session", sessionId: cut(text(event.session_id), 200), model: state.model }];
    case "tool_use": {
      const use = { tool: text(event.tool_name), input: object(event.parameters) };
      const id = cut(text(event.tool_id), 200);
      return [toolCall({ id, ...use, worktree: state.worktree }), ...plansOf(use)];
    }
    case "tool_result":
      return [toolResult(event)];
    case "error":
      state.lastWarning = oneLine(text(event.message), 500);
      return state.lastWarning === "" ? [] : [{ kind: "warning", text: state.lastWarning }];
    case "result":
      return closing(state, event);
    default:
      return [];
  }
}

/** The prompt is echoed. Answers come in pieces; the first piece opens a message. */
function pieces(state: State, event: JsonObject): readonly AgentEvent[] {
  const piece = cutText(text(event.content));
  if (event.role !== "assistant" || piece === "") return [];
  const delta = state.inMessage && event.delta === true;
  state.lastText = delta ? cutText(state.lastText + piece) : piece;
  state.inMessage = true;
  return [{ kind: "message", text: piece, delta }];
}

function toolResult(event: JsonObject): AgentEvent {
  const output = text(event.output) || text(object(event.error).message);
  const status = event.status === "success" ? "completed" : "failed";
  return toolUpdate(cut(text(event.tool_id), 200), status, output);
}

function closing(state: State, event: JsonObject): readonly AgentEvent[] {
  state.status = text(event.status);
  state.errorMessage = cutText(text(object(event.error).message));
  if (!isObject(event.stats)) return [];
  state.usage = usageOf(state, event.stats);
  return [{ kind: "usage", usage: state.usage }];
}

/** The counters are this run's. The cost is our estimate, model by model if the stream separates them. */
function usageOf({ model }: State, stats: JsonObject): Usage {
  const models = Object.entries(object(stats.models));
  const used = models.length > 0 ? models : [[model, stats] as const];
  const costUsd = used
    .map(([name, counts]) => estimateCost(name, tokensOf(object(counts))))
    .reduce<number | null>((sum, cost) => (sum === null || cost === null ? null : sum + cost), 0);
  return { ...tokensOf(stats), costUsd, costEstimated: costUsd !== null };
}

/** The rest of the total, beyond input and output, is thinking. It costs as much as output. */
function tokensOf(counts: JsonObject): TokenCounts {
  const inputTokens = amount(counts.input_tokens);
  return {
    inputTokens,
    cachedInputTokens: amount(counts.cached),
    outputTokens: Math.max(amount(counts.output_tokens), amount(counts.total_tokens) - inputTokens),
  };
}

function close(state: State, exit: AgentExit): AgentResult {
  const failure = geminiFailure(state, exit);
  const shared = { summary: state.lastText.trim(), usage: state.usage, totals: null };
  return failure === null ? { ok: true, ...shared } : { ok: false, failure, ...shared };
}
