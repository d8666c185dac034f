/** Reads the JSON stream of the demo agent. */
import type { AgentEvent } from "../../domain/agent/events.ts";
import type { AgentParser, ParserOptions } from "../shared/executor.ts";
import { unfinished } from "../shared/failure.ts";
import { type JsonObject, jsonFeed, text } from "../shared/json.ts";
import { cut, cutText } from "../shared/shorten.ts";
import { toolCall } from "../shared/tool-call.ts";

export function demoParser(options: Pick<ParserOptions, "request">): AgentParser {
  const worktree = options.request?.worktree ?? null;
  let anyEvent = false;
  let summary: string | null = null;
  return {
    feed: jsonFeed((event) => {
      anyEvent = true;
      if (event.type === "done") summary = cutText(text(event.summary)).trim();
      return eventsOf(event, worktree);
    }),
    finish: (exit) => {
      const shared = { summary: summary ?? "", usage: null, totals: null };
      return summary === null
        ? { ok: false, failure: unfinished(exit, { anyEvent }), ...shared }
        : { ok: true, ...shared };
    },
  };
}

function eventsOf(event: JsonObject, worktree: string | null): readonly AgentEvent[] {
  const id = cut(text(event.id), 200);
  switch (event.type) {
    case "session":
      return [{ kind: "session", sessionId: id, model: null }];
    case "say":
      return [{ kind: "message", text: cutText(text(event.text)), delta: false }];
    case "edit":
      return [toolCall({ id, tool: "edit", input: { path: text(event.path) }, worktree })];
    case "edited":
      return [{ kind: "tool_call_update", id, status: "completed", output: null }];
    case "done":
      return [{ kind: "message", text: cutText(text(event.summary)), delta: false }];
    default:
      return [];
  }
}
