/** Turns any agent's tool call into a kind, one readable line and the places that it touches. */
import type { AgentEvent, ToolKind, ToolLocation } from "../../domain/agent/events.ts";
import { type JsonObject, text } from "./json.ts";
import { cutOutput, oneLine } from "./shorten.ts";

type ToolCall = Extract<AgentEvent, { kind: "tool_call" }>;

interface ToolUse {
  readonly id: string;
  /** The agent's own name of the tool. */
  readonly tool: string;
  readonly input: JsonObject;
  /** Paths below this folder are shown relative to it; null shows them unchanged. */
  readonly worktree: string | null;
}

/** The tool names of the CLIs, in lower case. */
const KINDS: ReadonlyMap<string, readonly [ToolKind, string]> = new Map([
  ["read", ["read", "Read"]],
  ["read_file", ["read", "Read"]],
  ["read_many_files", ["read", "Read"]],
  ["notebookread", ["read", "Read"]],
  ["edit", ["edit", "Edit"]],
  ["multiedit", ["edit", "Edit"]],
  ["notebookedit", ["edit", "Edit"]],
  ["replace", ["edit", "Edit"]],
  ["patch", ["edit", "Edit"]],
  ["apply_patch", ["edit", "Edit"]],
  ["write", ["edit", "Write"]],
  ["write_file", ["edit", "Write"]],
  ["bash", ["execute", "Run"]],
  ["shell", ["execute", "Run"]],
  ["exec_command", ["execute", "Run"]],
  ["run_shell_command", ["execute", "Run"]],
  ["grep", ["search", "Search"]],
  ["grep_search", ["search", "Search"]],
  ["search_file_content", ["search", "Search"]],
  ["codesearch", ["search", "Search"]],
  ["toolsearch", ["search", "Search"]],
  ["glob", ["search", "Find"]],
  ["list", ["search", "List"]],
  ["ls", ["search", "List"]],
  ["list_directory", ["search", "List"]],
  ["webfetch", ["fetch", "Fetch"]],
  ["web_fetch", ["fetch", "Fetch"]],
  ["websearch", ["fetch", "Search the web for"]],
  ["web_search", ["fetch", "Search the web for"]],
  ["google_web_search", ["fetch", "Search the web for"]],
  ["todowrite", ["think", "Plan"]],
  ["write_todos", ["think", "Plan"]],
]);

/** The event for one tool call. */
export function toolCall(use: ToolUse): ToolCall {
  const [toolKind, verb] = KINDS.get(use.tool.toLowerCase()) ?? ["other", ""];
  return {
    kind: "tool_call",
    id: use.id,
    tool: oneLine(use.tool, 100),
    toolKind,
    title: titleOf(use, toolKind, verb),
    locations: locationsOf(use.input),
  };
}

/** The event for the progress or the end of a call; an empty output counts as none. */
export function toolUpdate(
  id: string,
  status: Extract<AgentEvent, { kind: "tool_call_update" }>["status"],
  output: string,
): Extract<AgentEvent, { kind: "tool_call_update" }> {
  return { kind: "tool_call_update", id, status, output: output === "" ? null : cutOutput(output) };
}

function titleOf(use: ToolUse, toolKind: ToolKind, verb: string): string {
  if (toolKind === "execute") return oneLine(text(use.input.command) || use.tool) || "Run a command";
  const pattern = toolKind === "search" ? text(use.input.pattern) : "";
  const subject = pattern || subjectOf(use);
  const head = verb || readableName(use.tool);
  return oneLine(subject === "" ? head : `${head} ${subject}`) || "Use a tool";
}

/** The object of the tool: a path, a pattern or an address, depending on the input. */
function subjectOf({ input, worktree }: ToolUse): string {
  const path = pathOf(input);
  if (path !== "") return shownPath(path, worktree);
  for (const key of ["pattern", "query", "url", "description"])
    if (text(input[key]) !== "") return text(input[key]);
  return "";
}

const PATH_KEYS = ["file_path", "filePath", "notebook_path", "absolute_path", "path", "dir_path"];

function pathOf(input: JsonObject): string {
  const key = PATH_KEYS.find((candidate) => text(input[candidate]) !== "");
  return key === undefined ? "" : text(input[key]);
}

function locationsOf(input: JsonObject): readonly ToolLocation[] {
  const path = pathOf(input);
  return path === "" ? [] : [{ path }];
}

/** A path for people: relative to the worktree if it is inside. */
export function shownPath(path: string, worktree: string | null): string {
  if (worktree === null || !path.startsWith(`${worktree}/`)) return path;
  return path.slice(worktree.length + 1);
}

/** `mcp__server__tool` as `server: tool`. */
function readableName(tool: string): string {
  const [, server, name] = /^mcp__(.+?)__(.+)$/.exec(tool) ?? [];
  return server !== undefined && name !== undefined ? `${server}: ${name}` : tool;
}
