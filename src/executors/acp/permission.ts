/** Answers an agent's permission question without a person. */
import { posix } from "node:path";
import { deniedGitCommand } from "../../domain/agent/constraints.ts";
import type { AgentEvent } from "../../domain/agent/events.ts";
import { type JsonObject, list, object, text, textOrNull } from "../shared/json.ts";
import { cut, oneLine } from "../shared/shorten.ts";

/**
 * The id of the option to choose. A call is allowed once, unless it would write git or change a file outside the
 * worktree. If "once" is offered, "always" is never chosen, so that every later call is asked again. Null if no
 * option fits.
 */
export function choosePermission(params: JsonObject, worktree: string): string | null {
  const call = object(params.toolCall);
  const wanted = writesGit(call) || leavesWorktree(call, worktree) ? REJECT : ALLOW;
  const options = list(params.options).map(object);
  const choice = wanted
    .map((kind) => options.find((option) => option.kind === kind))
    .find((option) => option !== undefined);
  return textOrNull(choice?.optionId);
}

/** Whether the chosen option lets the tool run. */
export function isAllowed(params: JsonObject, optionId: string | null): boolean {
  const option = list(params.options)
    .map(object)
    .find((candidate) => candidate.optionId === optionId);
  return option !== undefined && ALLOW.includes(text(option.kind));
}

/** The `result` of `session/request_permission`. A withdrawn question counts as refused. */
export function permissionResult(optionId: string | null): JsonObject {
  return { outcome: optionId === null ? { outcome: "cancelled" } : { outcome: "selected", optionId } };
}

/** The end of a refused tool, in the agent's own format. */
export const refusedTool = (call: JsonObject): JsonObject => ({
  sessionUpdate: "tool_call_update",
  toolCallId: call.toolCallId,
  status: "failed",
  rawOutput: "Refused: it would write git or leave the worktree.",
});

/** The question and its answer, for people. */
export function permissionEvent(id: string | number, params: JsonObject, chosen: string | null): AgentEvent {
  const options = list(params.options).slice(0, 20).map(object);
  return {
    kind: "permission",
    id: cut(String(id), 200),
    title: oneLine(text(object(params.toolCall).title)) || "Use a tool",
    options: options.map((option) => ({
      id: cut(text(option.optionId), 200),
      name: oneLine(text(option.name)),
      kind: oneLine(text(option.kind)),
    })),
    chosen,
  };
}

const ALLOW = ["allow_once", "allow_always"];
const REJECT = ["reject_once", "reject_always"];

/** The command is in the raw input (text or words), else only in the title. */
function writesGit(call: JsonObject): boolean {
  const { command } = object(call.rawInput);
  const words = Array.isArray(command) ? command.map(text).join(" ") : text(command);
  return (
    deniedGitCommand(words) !== null ||
    (call.kind === "execute" && deniedGitCommand(text(call.title)) !== null)
  );
}

function leavesWorktree(call: JsonObject, worktree: string): boolean {
  if (call.kind !== "edit" && call.kind !== "delete" && call.kind !== "move") return false;
  const paths = [...list(call.locations), ...list(call.content)].map((entry) => text(object(entry).path));
  return paths.filter(Boolean).some((path) => !isInside(path, worktree));
}

/** Judges the text alone; the proof after the run checks symlinks. */
function isInside(path: string, worktree: string): boolean {
  const resolved = posix.resolve(worktree, path);
  return resolved === worktree || resolved.startsWith(`${worktree}/`);
}
