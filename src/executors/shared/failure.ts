/** Builds the failures that the classifiers of all executors return. */
import type { AgentFailure } from "../../domain/agent/events.ts";
import type { AgentExit } from "./executor.ts";
import { resetTime } from "./reset-time.ts";
import { lastLines, oneLine } from "./shorten.ts";

const MAX_MESSAGE_CHARS = 500;

/** A failure; by default it is not worth a retry. */
export function failed(
  code: AgentFailure["code"],
  message: string,
  more: { readonly resumeAt?: string | null; readonly transient?: boolean } = {},
): AgentFailure {
  return {
    code,
    message: oneLine(message, MAX_MESSAGE_CHARS) || "The agent gave no reason.",
    resumeAt: more.resumeAt ?? null,
    transient: more.transient ?? false,
  };
}

/** The meaning of an HTTP status of the model's provider for the run. */
export function failedByStatus(
  status: number,
  message: string,
  context: { readonly endedAt: string; readonly resumeAt?: string | null },
): AgentFailure {
  if (status === 401 || status === 403) return failed("auth_required", message);
  if (status === 429) return rateLimited(message, context);
  return failed("agent_failed", message, { transient: status === 408 || status >= 500 });
}

/** A rate limit, with the time of its end if the message tells it. */
export function rateLimited(
  message: string,
  context: { readonly endedAt: string; readonly resumeAt?: string | null },
): AgentFailure {
  const resumeAt = context.resumeAt ?? resetTime(message, context.endedAt);
  return failed("rate_limited", message, { resumeAt, transient: true });
}

/** The same from text alone, for agents whose streams have no codes (Codex, and agents that speak ACP). */
export function failedByWords(message: string, context: { readonly endedAt: string }): AgentFailure {
  const status = /\b(?:unexpected|last) status:? (\d{3})\b/i.exec(message)?.[1];
  if (status !== undefined) return failedByStatus(Number(status), message, context);
  if (LIMIT.test(message)) return rateLimited(message, context);
  if (NO_LOGIN.test(message)) return failed("auth_required", message);
  return failed("agent_failed", message, { transient: PASSING.test(message) });
}

const LIMIT = /hit your (?:usage )?limit|usage limit (?:has been )?reached|rate limit|\(429\)/i;
const NO_LOGIN = /not logged in|authentication required|(?:log|sign) in again|refresh token|invalid api key/i;
/** Overload and broken connections. */
const PASSING =
  /high demand|at capacity|overloaded|disconnected|connection|reconnecting|timed? ?out|network/i;

/** The stream stopped without the event that ends a turn; exit code 0 does not change that. */
export function unfinished(exit: AgentExit, seen: { readonly anyEvent: boolean }): AgentFailure {
  const reason = lastLines(exit.stderr, 2);
  const how = exit.signal === null ? `exit code ${exit.code ?? "unknown"}` : `signal ${exit.signal}`;
  const tail = reason === "" ? "" : `: ${reason}`;
  // Shells and our own starter return 126 and 127 for a program that cannot be run.
  if (!seen.anyEvent && (exit.code === 127 || exit.code === 126))
    return failed("agent_not_found", `The agent's program could not be started (${how})${tail}`);
  return failed("agent_failed", `The agent ended without finishing its turn (${how})${tail}`);
}
