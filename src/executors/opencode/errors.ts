/** Tells why a run of opencode failed, from its last error event and its exit. */
import type { AgentFailure } from "../../domain/agent/events.ts";
import type { AgentExit } from "../shared/executor.ts";
import { failed, failedByStatus, unfinished } from "../shared/failure.ts";
import { amountOrNull, type JsonObject, object, text } from "../shared/json.ts";
import { lastLine } from "../shared/shorten.ts";

interface OpencodeEnding {
  /** Why the last step ended. `stop` ends the turn, because there is no closing event. */
  readonly lastReason: string | null;
  /** The last error without a finished step after it. */
  readonly error: JsonObject | null;
  readonly anyEvent: boolean;
}

/** The failure, or null if the last step ended the turn. */
export function opencodeFailure(ending: OpencodeEnding, exit: AgentExit): AgentFailure | null {
  if (ending.error !== null) return byError(ending.error, exit);
  if (ending.lastReason === "stop") return null;
  if (/session\b.*not found/i.test(exit.stderr)) return failed("session_lost", lastLine(exit.stderr));
  if (!ending.anyEvent && OWN_DATABASE.test(exit.stderr)) return inUse(DATABASE_IN_USE, exit);
  if (ending.lastReason === null || ending.lastReason === "tool-calls") return unfinished(exit, ending);
  return failed("agent_failed", `The model stopped early (${ending.lastReason}).`);
}

function byError(error: JsonObject, exit: AgentExit): AgentFailure {
  const data = object(error.data);
  const message = text(data.message) || text(error.name);
  const status = amountOrNull(data.statusCode);
  if (/session\b.*not found/i.test(message)) return failed("session_lost", message);
  if (error.name === "ProviderAuthError") return failed("auth_required", message);
  if (status === null && (OWN_DATABASE.test(message) || OWN_SERVER.test(message)))
    return inUse(message, exit);
  if (status === null) return failed("agent_failed", message, { transient: data.isRetryable === true });
  const failure = failedByStatus(status, message, {
    endedAt: exit.endedAt,
    resumeAt: retryAfter(data, exit),
  });
  return { ...failure, transient: failure.transient || data.isRetryable === true };
}

/**
 * All its processes share one database. Two that start at once may find it locked. So does a process that waits more
 * than five seconds for another's write. Both end because of it, and continue after a new start.
 */
const OWN_DATABASE = /database is locked|SQLITE_BUSY|failed query:|failed to execute statement/i;
const DATABASE_IN_USE =
  "opencode ended over the database that all its processes share (`tazuna logs` has its words).";
/** How long the other process may need. If two failed together, their starts stay as far apart as their ends were. */
const IN_USE_MS = 3000;

/** Its message for any fault of its own server, and a locked database is one of them. */
const OWN_SERVER = /^unexpected server error/i;

function inUse(message: string, exit: AgentExit): AgentFailure {
  const resumeAt = new Date(Date.parse(exit.endedAt) + IN_USE_MS).toISOString();
  return failed("agent_failed", message, { transient: true, resumeAt });
}

function retryAfter(data: JsonObject, exit: AgentExit): string | null {
  const seconds = Number(text(object(data.responseHeaders)["retry-after"]) || Number.NaN);
  const at = Date.parse(exit.endedAt) + seconds * 1000;
  return Number.isFinite(at) && seconds >= 0 && seconds < 60 * 24 * 3600 ? new Date(at).toISOString() : null;
}
