/** Turns the session updates of the Agent Client Protocol into events. */
import { type AgentEvent, TOOL_KINDS, type ToolKind, type ToolLocation } from "../../domain/agent/events.ts";
import { type JsonObject, list, object, text } from "../shared/json.ts";
import { cut, cutText, oneLine } from "../shared/shorten.ts";
import { shownPath, toolUpdate } from "../shared/tool-call.ts";

export interface UpdateReader {
  /** One `session/update`, or the tool call of a permission question. */
  read(update: JsonObject): readonly AgentEvent[];
  /** The last thought, which may still grow. */
  flush(): readonly AgentEvent[];
  /** The current or last message. */
  lastText(): string;
}

interface State {
  readonly worktree: string | null;
  lastText: string;
  /** The sender of the last piece: pieces of one message are joined, thoughts are told as a whole. */
  speaking: string;
  thought: string;
  /** Announced tool calls, and what the agent said of them. */
  readonly tools: Map<string, JsonObject>;
}

export function updateReader(worktree: string | null): UpdateReader {
  const state: State = { worktree, lastText: "", speaking: "", thought: "", tools: new Map() };
  return {
    read: (update) => read(state, update),
    flush: () => flush(state),
    lastText: () => state.lastText,
  };
}

function read(state: State, update: JsonObject): readonly AgentEvent[] {
  const kind = text(update.sessionUpdate);
  if (kind === "agent_thought_chunk") {
    state.speaking = "";
    state.thought = cutText(state.thought + text(object(update.content).text));
    return [];
  }
  if (kind === "agent_message_chunk") return [...flush(state), ...messagePiece(state, update)];
  if (kind === "tool_call" || kind === "tool_call_update") {
    state.speaking = "";
    return [...flush(state), ...toolEvents(state, update)];
  }
  if (kind === "plan") return [...flush(state), { kind: "plan", entries: planEntries(update) }];
  if (kind !== "usage_update") state.speaking = "";
  return [];
}

function flush(state: State): readonly AgentEvent[] {
  const thought = state.thought.trim();
  state.thought = "";
  return thought === "" ? [] : [{ kind: "thought", text: thought }];
}

function messagePiece(state: State, update: JsonObject): readonly AgentEvent[] {
  const piece = cutText(text(object(update.content).text));
  if (piece === "") return [];
  const speaker = `message ${cut(text(update.messageId), 200)}`;
  const delta = state.speaking === speaker;
  state.speaking = speaker;
  state.lastText = delta ? cutText(state.lastText + piece) : piece;
  return [{ kind: "message", text: piece, delta }];
}

function planEntries(update: JsonObject): Extract<AgentEvent, { kind: "plan" }>["entries"] {
  return list(update.entries)
    .slice(0, 100)
    .map(object)
    .map((entry) => ({
      content: oneLine(text(entry.content), 500),
      status: entry.status === "completed" || entry.status === "in_progress" ? entry.status : "pending",
    }));
}

const MAX_TOOLS = 500;

/** Agents announce a call before they know its input. Later information replaces the announcement. */
function toolEvents(state: State, update: JsonObject): readonly AgentEvent[] {
  const id = cut(text(update.toolCallId), 200);
  if (id === "") return [];
  const known = state.tools.get(id);
  const merged = { ...known, ...pick(update) };
  const call = announcement(state, id, merged);
  const isNews =
    known === undefined || JSON.stringify(call) !== JSON.stringify(announcement(state, id, known));
  remember(state, id, merged);
  return [...(isNews ? [call] : []), ...progress(id, update)];
}

/** The fields of an announcement, if the update has them. */
function pick(update: JsonObject): JsonObject {
  const diffs = list(update.content)
    .map(object)
    .filter((block) => block.type === "diff")
    .slice(0, 50)
    .map((block) => ({ path: cut(text(block.path), 4_096), isNew: text(block.oldText) === "" }));
  const command = object(update.rawInput).command;
  const tool = text(update.name) || text(object(object(update._meta).claudeCode).toolName);
  const locations = locationsOf(update);
  return {
    ...(tool === "" ? {} : { tool: oneLine(tool, 100) }),
    ...(typeof update.title === "string" ? { title: oneLine(update.title) } : {}),
    ...(typeof update.kind === "string" ? { kind: update.kind } : {}),
    ...(typeof command === "string" ? { command: oneLine(command) } : {}),
    ...(locations.length > 0 ? { locations } : {}),
    ...(diffs.length > 0 ? { diffs } : {}),
  };
}

function locationsOf(update: JsonObject): readonly ToolLocation[] {
  return list(update.locations)
    .slice(0, 50)
    .map(object)
    .filter((location) => text(location.path) !== "")
    .map((location) => ({
      path: cut(text(location.path), 4_096),
      ...(typeof location.line === "number" ? { line: location.line } : {}),
    }));
}

function remember(state: State, id: string, facts: JsonObject): void {
  state.tools.delete(id);
  state.tools.set(id, facts);
  const [oldest] = state.tools.keys();
  if (state.tools.size > MAX_TOOLS && oldest !== undefined) state.tools.delete(oldest);
}

function announcement(state: State, id: string, facts: JsonObject): AgentEvent {
  const toolKind = TOOL_KINDS.find((kind) => kind === facts.kind) ?? "other";
  const diffs = list(facts.diffs).map(object);
  const places = list(facts.locations) as readonly ToolLocation[];
  return {
    kind: "tool_call",
    id,
    tool: text(facts.tool) || toolKind,
    toolKind,
    title: titleOf(facts, toolKind, state.worktree),
    locations: places.length > 0 ? places : diffs.map((diff) => ({ path: text(diff.path) })),
  };
}

/** The command, or verb and paths, else the agent's own title. */
function titleOf(facts: JsonObject, toolKind: ToolKind, worktree: string | null): string {
  if (text(facts.command) !== "") return text(facts.command);
  const diffs = list(facts.diffs).map(object);
  if (toolKind === "edit" && diffs.length > 0) {
    const words = diffs.map(
      (diff) => `${diff.isNew === true ? "Write" : "Edit"} ${shownPath(text(diff.path), worktree)}`,
    );
    return oneLine(words.join(", "));
  }
  const places = list(facts.locations).map((place) => shownPath(text(object(place).path), worktree));
  if (toolKind === "edit" && places.length > 0) return oneLine(`Edit ${places.join(", ")}`);
  return text(facts.title) || "Use a tool";
}

function progress(id: string, update: JsonObject): readonly AgentEvent[] {
  const { status } = update;
  if (status !== "in_progress" && status !== "completed" && status !== "failed") return [];
  return [toolUpdate(id, status, outputOf(update))];
}

function outputOf(update: JsonObject): string {
  const words = list(update.content)
    .map((block) => text(object(object(block).content).text))
    .filter(Boolean);
  const raw = object(update.rawOutput);
  return words.join("\n") || text(update.rawOutput) || text(raw.output) || text(raw.formatted_output);
}
