/** Tells why a run of Codex failed; its stream gives only text for that, no codes. */
import type { AgentFailure } from "../../domain/agent/events.ts";
import type { AgentExit } from "../shared/executor.ts";
import { failed, failedByWords, unfinished } from "../shared/failure.ts";
import { object, objectOf, text } from "../shared/json.ts";
import { lastLine } from "../shared/shorten.ts";

interface CodexEnding {
  readonly completed: boolean;
  /** From `turn.failed`; null if it never came. */
  readonly failedMessage: string | null;
  /** The last top-level `error`: the reason if the process was ended while it retried. */
  readonly lastError: string | null;
  readonly anyEvent: boolean;
}

/** The failure, or null if the turn was completed. */
export function codexFailure(ending: CodexEnding, exit: AgentExit): AgentFailure | null {
  if (ending.failedMessage !== null) return byWords(ending.failedMessage, exit);
  if (ending.completed) return null;
  if (/no rollout found|no saved session found/i.test(exit.stderr))
    return failed("session_lost", lastLine(exit.stderr));
  if (ending.lastError === null) return unfinished(exit, ending);
  const reason = byWords(ending.lastError, exit);
  // Killed between two tries: the missing service may be available later.
  return { ...reason, transient: true };
}

function byWords(message: string, exit: AgentExit): AgentFailure {
  return { ...failedByWords(message, exit), message: failed("agent_failed", plainMessage(message)).message };
}

/** A 400 arrives as the raw body, so its own message is used. */
function plainMessage(message: string): string {
  const body = objectOf(message);
  return (body !== null && text(object(body.error).message)) || message;
}
