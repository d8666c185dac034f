/** Tells why a run of the Gemini CLI failed; its exit code says more than its text. */
import type { AgentFailure } from "../../domain/agent/events.ts";
import type { AgentExit } from "../shared/executor.ts";
import { failed, failedByStatus, rateLimited, unfinished } from "../shared/failure.ts";
import { object, objectOf, text } from "../shared/json.ts";
import { lastLine } from "../shared/shorten.ts";

interface GeminiEnding {
  /** `status` of the closing event; null if none came. */
  readonly status: string | null;
  readonly errorMessage: string;
  readonly lastWarning: string;
  readonly anyEvent: boolean;
  readonly resumed: boolean;
}

const NO_AUTH_METHOD = 41;
const BAD_INPUT = 42;

/** The failure, or null if the closing event says success. */
export function geminiFailure(ending: GeminiEnding, exit: AgentExit): AgentFailure | null {
  if (ending.status === "success") return null;
  if (exit.code === NO_AUTH_METHOD) return failed("auth_required", lastLine(exit.stderr));
  if (ending.status === null) {
    const lost = exit.code === BAD_INPUT && !ending.anyEvent && ending.resumed;
    return lost ? failed("session_lost", lastLine(exit.stderr)) : unfinished(exit, ending);
  }
  const message = ending.errorMessage || ending.lastWarning;
  return { ...byWords(message, exit), message: failed("agent_failed", plainMessage(message)).message };
}

function byWords(message: string, exit: AgentExit): AgentFailure {
  const status = statusOf(exit.code) ?? statusIn(message);
  if (status !== null) return failedByStatus(status, message, exit);
  if (/quota|rate limit|resource_exhausted/i.test(message)) return rateLimited(message, exit);
  return failed("agent_failed", message, { transient: PASSING.test(message) });
}

/** `[API Error: {"error":{"message":…}}]` reduced to the inner message. */
function plainMessage(message: string): string {
  const inside = /^\[API Error: ([\s\S]+?)\]\s*([\s\S]*)$/.exec(message);
  if (inside === null) return message;
  const [, body = "", rest = ""] = inside;
  return `${text(object(objectOf(body)?.error).message) || body} ${rest}`;
}

/** Overload, broken connections, and a stream that stopped early. */
const PASSING = /overloaded|unavailable|fetch failed|sending request|without a finish reason|timed? ?out/i;

/** The exit code is the HTTP status modulo 256: 401 → 145, 429 → 173, 503 → 247. */
function statusOf(code: number | null): number | null {
  return code !== null && code >= 400 - 256 && code <= 255 ? code + 256 : null;
}

function statusIn(message: string): number | null {
  const found = /"code":\s*([45]\d\d)\b/.exec(message)?.[1];
  return found === undefined ? null : Number(found);
}
