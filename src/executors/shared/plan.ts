/** Reads the plan that an agent writes with a tool of its own, such as `TodoWrite`. */
import type { AgentEvent } from "../../domain/agent/events.ts";
import { type JsonObject, list, object, text } from "./json.ts";
import { oneLine } from "./shorten.ts";

type Plan = Extract<AgentEvent, { kind: "plan" }>;

const TOOLS = new Set(["todowrite", "write_todos"]);
const MAX_ENTRIES = 100;

/** None if the tool is another one, or if it holds no list. */
export function plansOf(use: { readonly tool: string; readonly input: JsonObject }): readonly Plan[] {
  const todos = TOOLS.has(use.tool.toLowerCase()) ? list(use.input.todos).slice(0, MAX_ENTRIES) : [];
  const entries = todos.map(object).map((todo) => ({
    content: oneLine(text(todo.content) || text(todo.description), 500),
    status: statusOf(text(todo.status)),
  }));
  return entries.length === 0 ? [] : [{ kind: "plan", entries }];
}

function statusOf(status: string): Plan["entries"][number]["status"] {
  if (status === "completed" || status === "cancelled") return "completed";
  return status === "in_progress" ? "in_progress" : "pending";
}
