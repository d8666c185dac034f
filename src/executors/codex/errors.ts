/** Tells why a run of Codex failed; its stream has only words for that, no codes. */
import type { AgentFailure } from "../../domain/agent/events.ts";
import type { AgentExit } from "../executor.ts";
import { failed, failedByWords, unfinished } from "../failure.ts";
import { object, objectOf, text } from "../json.ts";
import { lastLine } from "../words.ts";

export interface CodexEnding {
  readonly completed: boolean;
  /** Of `turn.failed`; null where it never came. */
  readonly failedMessage: string | null;
  /** The last top-level `error`: the reason, where the process was ended while it retried. */
  readonly lastError: string | null;
  readonly anyEvent: boolean;
}

/** The failure, or null where the turn was completed. */
export function codexFailure(ending: CodexEnding, exit: AgentExit): AgentFailure | null {
  if (ending.failedMessage !== null) return byWords(ending.failedMessage, exit);
  if (ending.completed) return null;
  if (/no rollout found|no saved session found/i.test(exit.stderr))
    return failed("session_lost", lastLine(exit.stderr));
  if (ending.lastError === null) return unfinished(exit, ending);
  const reason = byWords(ending.lastError, exit);
  // Killed between two tries: whatever it was waiting for may be there later.
  return { ...reason, transient: true };
}

function byWords(message: string, exit: AgentExit): AgentFailure {
  return { ...failedByWords(message, exit), message: failed("agent_failed", plainMessage(message)).message };
}

/** A 400 arrives as the raw body: take its own message. */
function plainMessage(message: string): string {
  const body = objectOf(message);
  return (body !== null && text(object(body.error).message)) || message;
}
