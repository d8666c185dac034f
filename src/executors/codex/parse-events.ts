/** Reads the JSON stream of Codex (`codex exec --json`). */

import type { Usage, UsageTotals } from "../../domain/agent/counters.ts";
import type { AgentEvent, AgentResult } from "../../domain/agent/events.ts";
import { estimateCost } from "../../domain/agent/prices.ts";
import { usageSince } from "../../domain/agent/usage.ts";
import type { AgentExit, AgentParser, ParserOptions } from "../shared/executor.ts";
import { amount, isObject, type JsonObject, jsonFeed, list, object, text } from "../shared/json.ts";
import { countedBefore } from "../shared/launch.ts";
import { commandOfShell } from "../shared/shell-command.ts";
import { cut, cutText, oneLine } from "../shared/shorten.ts";
import { shownPath, toolCall, toolUpdate } from "../shared/tool-call.ts";
import { codexFailure } from "./errors.ts";

interface State {
  readonly worktree: string | null;
  readonly model: string | null;
  readonly previous: UsageTotals | null;
  /** Tool items that were announced and have not ended. */
  readonly open: Set<string>;
  anyEvent: boolean;
  completed: boolean;
  failedMessage: string | null;
  lastError: string | null;
  lastText: string;
  totals: UsageTotals | null;
}

export function codexParser(options: ParserOptions): AgentParser {
  const state: State = {
    worktree: options.request?.worktree ?? null,
    model: options.request?.profile.model ?? null,
    previous: countedBefore(options),
    open: new Set(),
    anyEvent: false,
    completed: false,
    failedMessage: null,
    lastError: null,
    lastText: "",
    totals: null,
  };
  return { feed: jsonFeed((event) => read(state, event)), finish: (exit) => close(state, exit) };
}

function read(state: State, event: JsonObject): readonly AgentEvent[] {
  state.anyEvent = true;
  switch (event.type) {
    case "thread.started":
      return [{ kind: "session", sessionId: cut(text(event.thread_id), 200), model: state.model }];
    case "turn.started":
      state.completed = false;
      return [];
    case "item.started":
    case "item.updated":
    case "item.completed":
      return itemEvents(state, object(event.item), { ended: event.type === "item.completed" });
    case "turn.completed":
      return turnCompleted(state, event);
    case "turn.failed":
      state.failedMessage = cutText(text(object(event.error).message));
      return [];
    case "error":
      return topLevelError(state, text(event.message));
    default:
      return [];
  }
}

/** `turn.failed` repeats the closing error; only the errors before it are events. */
function topLevelError(state: State, message: string): readonly AgentEvent[] {
  state.lastError = cutText(message);
  const retry = /^Reconnecting\.\.\. (?:(\d+)\/(\d+))?/i.exec(message);
  if (retry === null) return [];
  const [, attempt, max] = retry;
  return [
    {
      kind: "retry",
      attempt: attempt === undefined ? null : Number(attempt),
      maxAttempts: max === undefined ? null : Number(max),
      delayMs: null,
      message: oneLine(message),
    },
  ];
}

interface Phase {
  readonly ended: boolean;
}

function itemEvents(state: State, item: JsonObject, phase: Phase): readonly AgentEvent[] {
  switch (item.type) {
    case "agent_message":
      return phase.ended ? message(state, cutText(text(item.text))) : [];
    case "reasoning":
      return phase.ended && text(item.text) !== ""
        ? [{ kind: "thought", text: cutText(text(item.text)) }]
        : [];
    case "error":
      return phase.ended ? [{ kind: "warning", text: oneLine(text(item.message), 500) }] : [];
    case "todo_list":
      return [{ kind: "plan", entries: planEntries(item) }];
    case "command_execution":
    case "file_change":
    case "mcp_tool_call":
    case "web_search":
      return toolEvents(state, item, phase);
    default:
      return [];
  }
}

function message(state: State, content: string): readonly AgentEvent[] {
  // An answer arrived, so the retries before it are over.
  state.lastError = null;
  if (content === "") return [];
  state.lastText = content;
  return [{ kind: "message", text: content, delta: false }];
}

function planEntries(item: JsonObject): Extract<AgentEvent, { kind: "plan" }>["entries"] {
  return list(item.items)
    .slice(0, 100)
    .map(object)
    .map((entry) => ({
      content: oneLine(text(entry.text), 500),
      status: entry.completed === true ? "completed" : "pending",
    }));
}

const MAX_OPEN_CALLS = 1_000;

/** Some items are only reported when completed. Those are announced at their end. */
function toolEvents(state: State, item: JsonObject, phase: Phase): readonly AgentEvent[] {
  const id = cut(text(item.id), 200);
  const announced = state.open.has(id);
  if (phase.ended) state.open.delete(id);
  if (!phase.ended && !announced && state.open.size < MAX_OPEN_CALLS) state.open.add(id);
  return [...(announced ? [] : [announcement(state, id, item)]), ...(phase.ended ? [ending(id, item)] : [])];
}

function announcement(state: State, id: string, item: JsonObject): AgentEvent {
  const { worktree } = state;
  if (item.type === "file_change") return fileChange(state, id, item);
  if (item.type === "command_execution") {
    const command = commandOfShell(text(item.command));
    return toolCall({ id, tool: "shell", input: { command }, worktree });
  }
  if (item.type === "web_search")
    return toolCall({ id, tool: "web_search", input: { query: text(item.query) }, worktree });
  const tool = `mcp__${text(item.server)}__${text(item.tool)}`;
  return toolCall({ id, tool, input: object(item.arguments), worktree });
}

const VERBS: ReadonlyMap<unknown, string> = new Map([
  ["add", "Write"],
  ["delete", "Delete"],
]);

function fileChange(state: State, id: string, item: JsonObject): AgentEvent {
  const changes = list(item.changes).slice(0, 100).map(object);
  const words = changes.map(
    (change) => `${VERBS.get(change.kind) ?? "Edit"} ${shownPath(text(change.path), state.worktree)}`,
  );
  return {
    kind: "tool_call",
    id,
    tool: "apply_patch",
    toolKind: "edit",
    title: oneLine(words.join(", ")) || "Edit files",
    locations: changes.map((change) => ({ path: cut(text(change.path), 4_096) })),
  };
}

function ending(id: string, item: JsonObject): AgentEvent {
  const bad = item.status === "failed" || item.status === "declined" || isObject(item.error);
  return toolUpdate(id, bad ? "failed" : "completed", outputOf(item));
}

function outputOf(item: JsonObject): string {
  if (item.type === "command_execution") return text(item.aggregated_output);
  const words = list(object(item.result).content).map((block) => text(object(block).text));
  return text(object(item.error).message) || words.filter(Boolean).join("\n");
}

function turnCompleted(state: State, event: JsonObject): readonly AgentEvent[] {
  state.completed = true;
  state.failedMessage = null;
  if (!isObject(event.usage)) return [];
  state.totals = codexTotals(event.usage);
  return [{ kind: "usage", usage: usageOf(state, state.totals) }];
}

export function codexTotals(usage: JsonObject): UsageTotals {
  return {
    inputTokens: amount(usage.input_tokens),
    cachedInputTokens: amount(usage.cached_input_tokens),
    outputTokens: amount(usage.output_tokens),
    costUsd: null,
  };
}

/** The counters cover the whole thread, so the run is the difference. The cost is our estimate. */
function usageOf(state: State, totals: UsageTotals): Usage {
  const run = usageSince(totals, state.previous);
  const costUsd = estimateCost(state.model, run);
  return { ...run, costUsd, costEstimated: costUsd !== null };
}

function close(state: State, exit: AgentExit): AgentResult {
  const failure = codexFailure(state, exit);
  const { totals } = state;
  const shared = {
    summary: state.lastText.trim(),
    usage: totals === null ? null : usageOf(state, totals),
    totals,
  };
  return failure === null ? { ok: true, ...shared } : { ok: false, failure, ...shared };
}
