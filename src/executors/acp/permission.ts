/** Judges an agent's permission request: rules answer it, or leave it to a person. Keeps those that wait for one. */
import { deniedGitCommand } from "../../domain/agent/constraints.ts";
import type { AgentEvent } from "../../domain/agent/events.ts";
import type { Approvals } from "../../domain/question/approvals.ts";
import { isInside, whyAskPerson } from "../../domain/question/needs-person.ts";
import type { Asked } from "../../domain/question/question.ts";
import { type JsonObject, list, object, text, textOrNull } from "../shared/json.ts";
import { cut, oneLine } from "../shared/shorten.ts";

type Judged =
  /** The id of the option to choose; null if no option fits. */
  { readonly by: "rule"; readonly chosen: string | null } | { readonly by: "person"; readonly asked: Asked };

/**
 * Writes of git are refused without a question. What reaches the network or leaves the worktree is asked, if a person
 * may be asked. Else it is allowed, unless it would change a file outside of the worktree.
 */
export function judgePermission(params: JsonObject, worktree: string, approvals: Approvals): Judged {
  const call = object(params.toolCall);
  if (writesGit(call)) return { by: "rule", chosen: optionOf(params, REJECT) };
  const reason = approvals === "ask" ? whyAskPerson(wantedBy(call), worktree) : null;
  if (reason !== null) return { by: "person", asked: askedBy(params, worktree, reason) };
  return { by: "rule", chosen: optionOf(params, leavesWorktree(call, worktree) ? REJECT : ALLOW) };
}

/** A call is allowed once. If "once" is offered, "always" is never chosen, so that every later call is asked again. */
function optionOf(params: JsonObject, kinds: readonly string[]): string | null {
  const options = list(params.options).map(object);
  const choice = kinds.map((kind) => options.find((option) => option.kind === kind)).find((found) => found);
  return textOrNull(choice?.optionId);
}

function wantedBy(call: JsonObject) {
  const command = commandOf(call);
  return {
    command: command === "" ? null : command,
    changes: changedPaths(call),
    fetches: call.kind === "fetch",
  };
}

/** What a person sees of the request. The words are the agent's own. */
function askedBy(
  params: JsonObject,
  worktree: string,
  { rule, touches }: { readonly rule: string; readonly touches: readonly string[] },
): Asked {
  const call = object(params.toolCall);
  const command = commandOf(call);
  const { cwd } = object(call.rawInput);
  const title = cut(text(call.title), MAX_WORDS);
  return {
    source: "permission",
    words: title || command || "Use a tool",
    command: command === "" ? null : cut(command, MAX_WORDS),
    folder: command === "" ? null : textOrNull(cwd) === null ? worktree : cut(text(cwd), 4_096),
    touches: [...touches].slice(0, 50).map((each) => cut(each, 4_096)),
    rule,
    options: optionsOf(params).map((option) => ({ ...option, kind: kindOf(option.kind) })),
  };
}

/** Whole for a person: a longer text is cut only where it would not be read any more. */
const MAX_WORDS = 20_000;

function kindOf(kind: string): Asked["options"][number]["kind"] {
  return KINDS.find((known) => known === kind) ?? "choice";
}

const KINDS = ["allow_once", "allow_always", "reject_once", "reject_always"] as const;

function optionsOf(params: JsonObject) {
  return list(params.options)
    .slice(0, 20)
    .map(object)
    .map((option) => ({
      id: cut(text(option.optionId), 200),
      name: oneLine(text(option.name)),
      kind: oneLine(text(option.kind)),
    }));
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
  return {
    kind: "permission",
    id: cut(String(id), 200),
    title: oneLine(text(object(params.toolCall).title)) || "Use a tool",
    options: optionsOf(params),
    chosen,
  };
}

const ALLOW = ["allow_once", "allow_always"];
const REJECT = ["reject_once", "reject_always"];

/** The command is in the raw input (text or words), else only in the title. */
function commandOf(call: JsonObject): string {
  const { command } = object(call.rawInput);
  const words = Array.isArray(command) ? command.map(text).join(" ") : text(command);
  return words === "" && call.kind === "execute" ? text(call.title) : words;
}

function writesGit(call: JsonObject): boolean {
  return (
    deniedGitCommand(commandOf(call)) !== null ||
    (call.kind === "execute" && deniedGitCommand(text(call.title)) !== null)
  );
}

function changedPaths(call: JsonObject): readonly string[] {
  if (call.kind !== "edit" && call.kind !== "delete" && call.kind !== "move") return [];
  const paths = [...list(call.locations), ...list(call.content)].map((entry) => text(object(entry).path));
  return paths.filter(Boolean);
}

function leavesWorktree(call: JsonObject, worktree: string): boolean {
  return changedPaths(call).some((path) => !isInside(path, worktree));
}

interface OpenRequest {
  readonly id: string | number;
  readonly params: JsonObject;
}

export interface OpenRequests {
  /** Returns its key: the id of the request, which an agent may use again once it was answered. */
  add(request: OpenRequest): string;
  /** Null if it does not wait, or not any more. */
  take(key: string): OpenRequest | null;
  /** The keys of the requests with this id. */
  ofRequest(id: unknown): readonly string[];
  /** The keys of the requests about this tool call. */
  ofTool(toolCallId: unknown): readonly string[];
}

export function openRequests(): OpenRequests {
  const open = new Map<string, OpenRequest>();
  const asked = new Map<string, number>();
  const keysOf = (isMeant: (request: OpenRequest) => boolean) =>
    [...open].filter(([, request]) => isMeant(request)).map(([key]) => key);
  return {
    add: (request) => {
      const id = JSON.stringify(request.id).slice(0, 200);
      const times = (asked.get(id) ?? 0) + 1;
      asked.set(id, times);
      const key = times === 1 ? id : `${id}#${times}`;
      open.set(key, request);
      return key;
    },
    take: (key) => {
      const request = open.get(key) ?? null;
      open.delete(key);
      return request;
    },
    ofRequest: (id) => keysOf((request) => request.id === id),
    ofTool: (toolCallId) =>
      keysOf(({ params }) => toolCallId !== undefined && object(params.toolCall).toolCallId === toolCallId),
  };
}
