/** Answers Claude Code's permission requests: by rules if they suffice, else by a person's answer. */

import { deniedGitCommand } from "../../domain/agent/constraints.ts";
import type { AgentEvent, ToolKind } from "../../domain/agent/events.ts";
import { isInside, whyAskPerson } from "../../domain/question/needs-person.ts";
import type { Answer, Asked } from "../../domain/question/question.ts";
import type { LaunchRequest, Want } from "../shared/executor.ts";
import { isObject, type JsonObject, object, objectOf, text, textOrNull } from "../shared/json.ts";
import { cut, cutText } from "../shared/shorten.ts";
import { toolCall } from "../shared/tool-call.ts";

export interface Permissions {
  /** All lines for stdin so far. */
  readonly replies: readonly string[];
  /** A `control_request` or a `control_cancel_request`. */
  read(event: JsonObject): readonly AgentEvent[];
  answer(key: string, answer: Answer): readonly AgentEvent[];
}

/** `request` null replies nothing, since only the lines are known. */
export function claudePermissions(request: LaunchRequest | null): Permissions {
  const replies: string[] = request === null ? [] : [userLine(request.prompt)];
  /** Inputs of the requests that wait for a person, by id. */
  const open = new Map<string, JsonObject>();
  const reply = (id: string, response: JsonObject): void => {
    if (request !== null) replies.push(responseLine(id, response));
  };
  const ask = (id: string, wanted: JsonObject): readonly AgentEvent[] => {
    const input = object(wanted.input);
    const call = toolCall({ id: "", tool: text(wanted.tool_name), input, worktree: null });
    const worktree = request?.worktree ?? "/";
    const refusal = gitWritten(wanted, call.toolKind, worktree);
    if (refusal !== null) {
      reply(id, { behavior: "deny", message: refusal });
      return [permissionEvent(id, call.title, "deny")];
    }
    const reason = reasonToAsk(wanted, call.toolKind, worktree);
    if (reason === null) {
      reply(id, allow(input));
      return [permissionEvent(id, call.title, "allow")];
    }
    open.set(id, input);
    const asked = askedOf(wanted, call.title, { folder: request?.worktree ?? null, ...reason });
    return [{ kind: "question", key: id, ...asked }];
  };
  return {
    replies,
    read: (event) => {
      const id = cut(text(event.request_id), 200);
      if (event.type === "control_cancel_request")
        return open.delete(id) ? [{ kind: "question_withdrawn", key: id }] : [];
      const wanted = object(event.request);
      return wanted.subtype === "can_use_tool" && id !== "" ? ask(id, wanted) : [];
    },
    answer: (key, answer) => {
      const input = open.get(key);
      if (input === undefined) return [];
      open.delete(key);
      reply(key, answer.kind === "allow" ? allow(input) : { behavior: "deny", message: refusalOf(answer) });
      return [];
    },
  };
}

const allow = (input: JsonObject): JsonObject => ({ behavior: "allow", updatedInput: input });

/** The prompt, as the first message of the conversation. */
function userLine(prompt: string): string {
  return JSON.stringify({
    type: "user",
    message: { role: "user", content: [{ type: "text", text: prompt }] },
  });
}

function responseLine(id: string, response: JsonObject): string {
  return JSON.stringify({
    type: "control_response",
    response: { subtype: "success", request_id: id, response },
  });
}

/** What a line for stdin is about: our message, or the request that it answers. */
export function claudeReplyKey(line: string): string {
  const { type, response } = objectOf(line) ?? {};
  return type === "control_response" ? `answer ${text(object(response).request_id)}` : "prompt";
}

/** What a line of stdout requires of us; most lines only inform. */
export function claudeWants(line: string): Want | null {
  if (!/"type":\s*"(?:control_request|result)"/.test(line)) return null;
  const { type, request_id: id, request } = objectOf(line) ?? {};
  if (type === "result") return { kind: "end" };
  if (type !== "control_request" || object(request).subtype !== "can_use_tool") return null;
  const message = "There is no room left to keep what is asked.";
  return { kind: "answer", refusal: responseLine(text(id), { behavior: "deny", message }) };
}

function refusalOf({ kind, text: words }: Answer): string {
  if (kind === "text" && words !== null) return `The person did not allow it, and says: ${words}`;
  return "The person did not allow it. Go on without it, or end your turn and say what you need.";
}

/** The arguments of its tools that name files. */
const PATHS = ["file_path", "path", "notebook_path"];

function pathsOf(wanted: JsonObject): readonly string[] {
  const input = object(wanted.input);
  const named = [...PATHS.map((name) => input[name]), wanted.blocked_path];
  return named.map(textOrNull).filter((path) => path !== null);
}

/** A sentence for the agent; null if it writes nothing of git. */
function gitWritten(wanted: JsonObject, kind: ToolKind, worktree: string): string | null {
  const denied = deniedGitCommand(kind === "execute" ? text(object(wanted.input).command) : "");
  const own = kind === "edit" && pathsOf(wanted).some((path) => isInside(path, `${worktree}/.git`));
  if (denied === null && !own) return null;
  return `${denied === null ? "A file of git" : `\`${denied}\``} is not for agents: Tazuna alone writes git.`;
}

type Reason = Pick<Asked, "rule" | "touches">;

/** Null if our rules allow it. Claude Code itself asks for everything that its own rules do not know. */
function reasonToAsk(wanted: JsonObject, kind: ToolKind, worktree: string): Reason | null {
  const input = object(wanted.input);
  const url = textOrNull(input.url);
  const reason = whyAskPerson(
    {
      command: kind === "execute" ? text(input.command) : null,
      changes: url === null ? pathsOf(wanted) : [url],
      fetches: kind === "fetch",
    },
    worktree,
  );
  if (kind === "fetch" && url !== null)
    return { rule: "It reaches the network.", touches: [URL.parse(url)?.host ?? url] };
  if (reason !== null) return { rule: reason.rule, touches: [...reason.touches] };
  return kind === "other" ? { rule: "No rule knows this tool.", touches: [] } : null;
}

function askedOf(
  wanted: JsonObject,
  title: string,
  { folder, rule, touches }: Pick<Asked, "folder" | "rule" | "touches">,
): Asked {
  const input = object(wanted.input);
  const command = textOrNull(input.command);
  const told = command === null && isObject(wanted.input) ? `\n${JSON.stringify(input, null, 2)}` : "";
  return {
    source: "permission",
    words: cutText(`${title}${told}`),
    command,
    folder,
    touches: touches.map((place) => cut(place, 1_000)),
    rule,
    options: OPTIONS,
  };
}

const OPTIONS: Asked["options"] = [
  { id: "allow", name: "Allow", kind: "allow_once" },
  { id: "deny", name: "Deny", kind: "reject_once" },
  { id: "words", name: "Deny, and say why", kind: "words" },
];

function permissionEvent(id: string, title: string, chosen: string): AgentEvent {
  return { kind: "permission", id, title, options: OPTIONS, chosen };
}
