/** Tells why a run of Claude Code failed, from its closing event, its synthetic messages and its exit. */
import type { AgentFailure } from "../../domain/agent/events.ts";
import type { AgentExit } from "../shared/executor.ts";
import { failed, failedByStatus, rateLimited, unfinished } from "../shared/failure.ts";
import { amountOrNull, type JsonObject, list, object, text } from "../shared/json.ts";
import { timeOfEpoch } from "../shared/reset-time.ts";
import { lastLine } from "../shared/shorten.ts";

/** What the stream said about errors so far. */
export interface ClaudeTrouble {
  /** `error` of the last synthetic message: the CLI's own class. */
  readonly errorClass: string;
  /** UTC ISO end of the limit that refused the last request. */
  readonly resumeAt: string | null;
}

export const NO_TROUBLE: ClaudeTrouble = { errorClass: "", resumeAt: null };

const LOGIN_CLASSES = new Set([
  "authentication_failed",
  "oauth_org_not_allowed",
  "account_on_hold",
  "verification_required",
  "cloud_credential_error",
]);
const LOST_SESSION = /No conversation found|Session ID \S+ is already in use/i;

/** The failure, or null if the closing event says that the turn was finished. */
export function claudeFailure(
  result: JsonObject | null,
  trouble: ClaudeTrouble,
  exit: AgentExit,
  seen: { readonly anyEvent: boolean },
): AgentFailure | null {
  if (result === null) return withoutResult(trouble, exit, seen);
  if (isSuccess(result)) return null;
  const message = messageOf(result);
  const status = amountOrNull(result.api_error_status);
  const resumeAt = trouble.resumeAt;
  if (LOST_SESSION.test(message)) return failed("session_lost", message);
  if (LOGIN_CLASSES.has(trouble.errorClass)) return failed("auth_required", message);
  if (trouble.errorClass === "rate_limit") return rateLimited(message, { endedAt: exit.endedAt, resumeAt });
  if (status !== null) return failedByStatus(status, message, { endedAt: exit.endedAt, resumeAt });
  const transient = trouble.errorClass === "server_error" || trouble.errorClass === "overloaded";
  return failed("agent_failed", message, { transient });
}

/** An API failure also ends as subtype "success": only these two fields tell. */
function isSuccess(result: JsonObject): boolean {
  const reason = result.terminal_reason ?? "completed";
  return result.is_error === false && reason === "completed";
}

function messageOf(result: JsonObject): string {
  // Its own text for that is a diagnostic of the program.
  if (text(result.terminal_reason).startsWith("aborted")) return "The turn was interrupted.";
  const errors = list(result.errors).map(text).filter(Boolean).join("; ");
  return (
    text(result.result) || errors || `The turn ended early (${text(result.terminal_reason) || "unknown"}).`
  );
}

function withoutResult(
  trouble: ClaudeTrouble,
  exit: AgentExit,
  seen: { readonly anyEvent: boolean },
): AgentFailure {
  if (LOST_SESSION.test(exit.stderr)) return failed("session_lost", lastLine(exit.stderr));
  const failure = unfinished(exit, seen);
  if (LOGIN_CLASSES.has(trouble.errorClass)) return { ...failure, code: "auth_required" };
  return failure;
}

/** The end of a limit, if the event says that the limit refused the request. */
export function refusedUntil(info: unknown): string | null {
  const limit = object(info);
  return text(limit.status) === "rejected" ? timeOfEpoch(limit.resetsAt) : null;
}
