/** Reads the JSON stream of the Gemini CLI (`--output-format stream-json`). */
import type { AgentEvent, AgentResult, Usage, UsageTotals } from "../../domain/agent/events.ts";
import { estimateCost, type TokenCounts } from "../../domain/agent/prices.ts";
import type { AgentExit, AgentParser, LaunchRequest } from "../executor.ts";
import { jsonFeed } from "../feed-json.ts";
import { amount, isObject, type JsonObject, object, text, textOrNull } from "../json.ts";
import { toolCall } from "../tool-call.ts";
import { cut, cutOutput, cutText, oneLine } from "../words.ts";
import { geminiFailure } from "./errors.ts";

interface State {
  readonly worktree: string | null;
  readonly resumed: boolean;
  anyEvent: boolean;
  /** The message that pieces are being added to, or the last one. */
  lastText: string;
  inMessage: boolean;
  status: string | null;
  errorMessage: string;
  lastWarning: string;
  usage: Usage | null;
}

export function geminiParser(options: {
  readonly request: LaunchRequest | null;
  readonly previous: UsageTotals | null;
}): AgentParser {
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
  };
  return { feed: jsonFeed((event) => read(state, event)), finish: (exit) => close(state, exit) };
}

function read(state: State, event: JsonObject): readonly AgentEvent[] {
  state.anyEvent = true;
  if (event.type === "message") return pieces(state, event);
  state.inMessage = false;
  switch (event.type) {
    case "init":
      return [
        { kind: "session", sessionId: cut(text(event.session_id), 200), model: textOrNull(event.model) },
      ];
    case "tool_use":
      return [
        toolCall({
          id: cut(text(event.tool_id), 200),
          tool: text(event.tool_name),
          input: object(event.parameters),
          worktree: state.worktree,
        }),
      ];
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

/** The prompt is echoed; answers come in pieces, of which the first opens a message. */
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
  return {
    kind: "tool_call_update",
    id: cut(text(event.tool_id), 200),
    status: event.status === "success" ? "completed" : "failed",
    output: output === "" ? null : cutOutput(output),
  };
}

function closing(state: State, event: JsonObject): readonly AgentEvent[] {
  state.status = text(event.status);
  state.errorMessage = cutText(text(object(event.error).message));
  if (!isObject(event.stats)) return [];
  state.usage = usageOf(event.stats);
  return [{ kind: "usage", usage: state.usage }];
}

/** The counters are this run's; money is our estimate, model by model. */
function usageOf(stats: JsonObject): Usage {
  const used = Object.entries(object(stats.models))
    .map(([model, counts]) => estimateCost(model, tokensOf(object(counts))))
    .reduce<number | null>((sum, cost) => (sum === null || cost === null ? null : sum + cost), 0);
  const costUsd = isObject(stats.models) ? used : null;
  return { ...tokensOf(stats), costUsd, costEstimated: costUsd !== null };
}

/** What the total holds beyond input and output is thinking, which is paid for as output. */
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
