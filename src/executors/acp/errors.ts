/** Names our requests of the Agent Client Protocol, and tells why one of them, or a turn, failed. */
import type { AgentFailure } from "../../domain/agent/events.ts";
import { failed, failedByWords, rateLimited } from "../shared/failure.ts";
import { isObject, type JsonObject, object, text } from "../shared/json.ts";

/** Our requests, in their order; a session is begun or loaded. */
export type AcpStep = "initialize" | "new" | "load" | "model" | "prompt";

export const METHODS: Readonly<Record<AcpStep, string>> = {
  initialize: "initialize",
  new: "session/new",
  load: "session/load",
  model: "session/set_model",
  prompt: "session/prompt",
};

/** The protocol's own code for "log in first". */
const AUTH_REQUIRED = -32_000;

/** The meaning of a JSON-RPC error in answer to one of our requests. */
export function acpRefusal(step: AcpStep, error: JsonObject, endedAt: string): AgentFailure {
  const kind = text(object(error.data).errorKind);
  const message = text(error.message) || `The agent refused ${step}.`;
  const details = text(object(error.data).details) || text(error.data);
  const words = details === "" || message.includes(details) ? message : `${message}: ${details}`;
  if (error.code === AUTH_REQUIRED || kind.startsWith("auth")) return failed("auth_required", words);
  if (kind === "rate_limit") return rateLimited(words, { endedAt });
  if (kind === "overloaded" || kind === "server_error")
    return failed("agent_failed", words, { transient: true });
  const failure = failedByWords(words, { endedAt });
  return step === "load" && failure.code === "agent_failed" ? failed("session_lost", words) : failure;
}

/**
 * The meaning of the answer to the prompt; null means a finished turn. If its model refused, an agent (codex-acp on a
 * rate limit) may report the turn as ended. Then the error is its last message, and there is no usage: `systemError`
 * and the message tell.
 */
export function acpStop(
  answer: JsonObject,
  seen: { readonly systemError: boolean; readonly lastText: string; readonly endedAt: string },
): AgentFailure | null {
  const reason = text(answer.stopReason);
  if (reason !== "end_turn")
    return failed("agent_failed", `The agent stopped early (${reason || "no reason"}).`);
  if (isObject(answer.usage)) return null;
  const bareError =
    answer.usage === null && /^exceeded retry limit|^unexpected status \d{3}/.test(seen.lastText);
  return seen.systemError || bareError ? failedByWords(seen.lastText, seen) : null;
}
