/** Reads the JSON stream of Claude Code (`--output-format stream-json`). */

import type { Usage, UsageTotals } from "../../domain/agent/counters.ts";
import type { AgentEvent, AgentResult } from "../../domain/agent/events.ts";
import { addUsage, NO_USAGE, usageSince } from "../../domain/agent/usage.ts";
import type { AgentExit, AgentParser, ParserOptions } from "../shared/executor.ts";
import {
  amount,
  amountOrNull,
  isObject,
  type JsonObject,
  jsonFeed,
  list,
  object,
  text,
  textOrNull,
} from "../shared/json.ts";
import { countedBefore } from "../shared/launch.ts";
import { plansOf } from "../shared/plan.ts";
import { cut, cutOutput, cutText, oneLine } from "../shared/shorten.ts";
import { toolCall } from "../shared/tool-call.ts";
import { type ClaudeTrouble, claudeFailure, NO_TROUBLE, refusedUntil } from "./errors.ts";
import { claudePermissions, claudeReplyKey, claudeWants, type Permissions } from "./permission.ts";

interface State {
  readonly worktree: string | null;
  readonly permissions: Permissions;
  anyEvent: boolean;
  trouble: ClaudeTrouble;
  /** From the last message of the agent itself. */
  lastText: string;
  /** Summed over the messages so far; a killed run has nothing better. */
  streamed: Usage;
  /** The id of the message that was counted last, since each of its events repeats its usage. */
  countedMessage: string;
  /** The closing event. Background work can make several; the last one counts. */
  result: JsonObject | null;
  /** Summed over the closing events that tell the usage since the one before; null if none did. */
  finished: Usage | null;
}

export function claudeParser(options: ParserOptions): AgentParser {
  const { request } = options;
  const state: State = {
    worktree: request?.worktree ?? null,
    permissions: claudePermissions(request),
    anyEvent: false,
    trouble: NO_TROUBLE,
    lastText: "",
    streamed: NO_USAGE,
    countedMessage: "",
    result: null,
    finished: null,
  };
  const reader: AgentParser = {
    feed: jsonFeed((event) => read(state, event)),
    wants: claudeWants,
    finish: (exit) => close(state, exit, countedBefore(options)),
  };
  // Nobody is asked, and the prompt is all that it reads.
  if (request?.approvals === "never") return reader;
  return {
    ...reader,
    replies: () => [...state.permissions.replies],
    replyKey: claudeReplyKey,
    answer: state.permissions.answer,
    turnEnded: () => state.result !== null,
  };
}

function read(state: State, event: JsonObject): readonly AgentEvent[] {
  state.anyEvent = true;
  switch (event.type) {
    case "system":
      return systemEvents(event);
    case "assistant":
      return assistantEvents(state, event);
    case "user":
      return toolResults(object(event.message));
    case "rate_limit_event":
      state.trouble = { ...state.trouble, resumeAt: refusedUntil(event.rate_limit_info) };
      return [];
    case "control_request":
    case "control_cancel_request":
      return state.permissions.read(event);
    case "result":
      return resultEvents(state, event);
    default:
      return [];
  }
}

function systemEvents(event: JsonObject): readonly AgentEvent[] {
  if (event.subtype === "api_retry")
    return [
      {
        kind: "retry",
        attempt: amountOrNull(event.attempt),
        maxAttempts: amountOrNull(event.max_retries),
        delayMs: amountOrNull(event.retry_delay_ms),
        message: retryReason(event),
      },
    ];
  if (event.subtype !== "init") return [];
  const broken = list(event.mcp_servers)
    .map(object)
    .filter((server) => text(server.status) === "failed");
  return [
    { kind: "session", sessionId: cut(text(event.session_id), 200), model: textOrNull(event.model) },
    ...broken.map(
      (server): AgentEvent => ({
        kind: "warning",
        text: oneLine(`The MCP server ${text(server.name)} did not start.`),
      }),
    ),
  ];
}

/** Such as `rate limit (HTTP 429)`; without a status there was no connection. */
function retryReason(event: JsonObject): string {
  const status = amountOrNull(event.error_status);
  if (status === null) return "no connection to the model";
  return oneLine(`${text(event.error).replaceAll("_", " ")} (HTTP ${status})`);
}

function assistantEvents(state: State, event: JsonObject): readonly AgentEvent[] {
  const message = object(event.message);
  if (text(event.error) !== "" || message.model === "<synthetic>") return apiError(state, event, message);
  // Work succeeded again, so the trouble is over.
  state.trouble = NO_TROUBLE;
  const byNested = textOrNull(event.parent_tool_use_id) !== null;
  const blocks = list(message.content).flatMap((block) => blockEvents(state, object(block), byNested));
  return [...blocks, ...countUsage(state, message)];
}

function apiError(state: State, event: JsonObject, message: JsonObject): readonly AgentEvent[] {
  const refusedUntilTime = refusedUntil(event.rate_limit_info);
  state.trouble = { errorClass: text(event.error), resumeAt: refusedUntilTime ?? state.trouble.resumeAt };
  const words = list(message.content).map((block) => text(object(block).text));
  const line = oneLine(words.join(" "), 500);
  return line === "" ? [] : [{ kind: "warning", text: line }];
}

function blockEvents(state: State, block: JsonObject, byNested: boolean): readonly AgentEvent[] {
  if (block.type === "thinking") return thought(text(block.thinking));
  if (block.type === "tool_use") {
    const use = { tool: text(block.name), input: object(block.input) };
    const call = toolCall({ id: cut(text(block.id), 200), ...use, worktree: state.worktree });
    // A nested agent plans for itself.
    return byNested ? [call] : [call, ...plansOf(use)];
  }
  const content = block.type === "text" ? cutText(text(block.text)) : "";
  if (content === "") return [];
  // The output of a nested agent goes to the agent, not to the person.
  if (byNested) return thought(content);
  state.lastText = content;
  return [{ kind: "message", text: content, delta: false }];
}

const thought = (words: string): readonly AgentEvent[] =>
  words === "" ? [] : [{ kind: "thought", text: cutText(words) }];

/** Each block repeats the usage of its message, so a message is counted once. */
function countUsage(state: State, message: JsonObject): readonly AgentEvent[] {
  const id = cut(text(message.id), 200);
  if (id === "" || id === state.countedMessage || !isObject(message.usage)) return [];
  state.countedMessage = id;
  const { usage } = message;
  const cached = amount(usage.cache_read_input_tokens);
  state.streamed = addUsage(state.streamed, {
    inputTokens: amount(usage.input_tokens) + amount(usage.cache_creation_input_tokens) + cached,
    cachedInputTokens: cached,
    outputTokens: amount(usage.output_tokens),
    costUsd: null,
    costEstimated: false,
  });
  return [{ kind: "usage", usage: state.streamed }];
}

function toolResults(message: JsonObject): readonly AgentEvent[] {
  return list(message.content)
    .map(object)
    .filter((block) => block.type === "tool_result")
    .map((block) => ({
      kind: "tool_call_update",
      id: cut(text(block.tool_use_id), 200),
      status: block.is_error === true ? "failed" : "completed",
      output: cutOutput(resultText(block.content)),
    }));
}

/** A text, or a list of blocks, some of them text. */
function resultText(content: unknown): string {
  if (typeof content === "string") return content;
  return list(content)
    .map((block) => text(object(block).text))
    .filter(Boolean)
    .join("\n");
}

function resultEvents(state: State, event: JsonObject): readonly AgentEvent[] {
  state.result = event;
  if (!isObject(event.model_usage_since_last_result)) return [];
  const { inputTokens, cachedInputTokens, outputTokens, costUsd } = sumModels(
    event.model_usage_since_last_result,
  );
  const since = { inputTokens, cachedInputTokens, outputTokens, costUsd, costEstimated: false };
  state.finished = addUsage(state.finished ?? NO_USAGE, since);
  return [{ kind: "usage", usage: state.finished }];
}

/** Counters per model, summed. No model at all means no usage. */
function sumModels(models: JsonObject): UsageTotals {
  const rows = Object.values(models).map(object);
  const sum = (read: (row: JsonObject) => number) => rows.reduce((total, row) => total + read(row), 0);
  return {
    inputTokens: sum(
      (row) =>
        amount(row.inputTokens) + amount(row.cacheReadInputTokens) + amount(row.cacheCreationInputTokens),
    ),
    cachedInputTokens: sum((row) => amount(row.cacheReadInputTokens)),
    outputTokens: sum((row) => amount(row.outputTokens)),
    costUsd: sum((row) => amount(row.costUSD)),
  };
}

function close(state: State, exit: AgentExit, previous: UsageTotals | null): AgentResult {
  const failure = claudeFailure(state.result, state.trouble, exit, state);
  const totals = totalsOf(state.result) ?? previous;
  const usage =
    state.finished ??
    (state.result === null || totals === null ? streamedOrNull(state) : usageSince(totals, previous));
  const summary = cutText(text(state.result?.result) || state.lastText).trim();
  if (failure === null) return { ok: true, summary, usage, totals };
  return { ok: false, failure, summary: state.lastText.trim(), usage, totals };
}

const streamedOrNull = (state: State): Usage | null => (state.countedMessage === "" ? null : state.streamed);

/** What the session has cost over all its runs; null if the event names no model at all. */
function totalsOf(result: JsonObject | null): UsageTotals | null {
  if (result === null || Object.keys(object(result.modelUsage)).length === 0) return null;
  const totals = sumModels(object(result.modelUsage));
  return { ...totals, costUsd: amountOrNull(result.total_cost_usd) ?? totals.costUsd };
}
