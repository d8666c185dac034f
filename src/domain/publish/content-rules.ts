/** Words the findings about the content of staged files. */
import { type GateFinding, gateFinding } from "./gate-finding.ts";
import { maskCredential } from "./mask.ts";

interface FoundCredential {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** The name of its shape in the list of shapes. */
  readonly kind: string;
  /** Whether it begins like all of its kind: then its beginning may be shown. */
  readonly hasPrefix: boolean;
  readonly credential: string;
}

export function credentialFinding(found: FoundCredential): GateFinding {
  const { path, line, kind } = found;
  return gateFinding("credential", path, {
    line,
    message: `${path}:${line} holds a credential (${kind}): ${maskCredential(found)}`,
    remedy:
      "Ask the agent to take it out and to read it from the environment. If it is real, revoke it: the agent has seen it.",
  });
}

/** `why` completes the sentence. If there was too much to read, an agent may have caused that: then it rejects. */
export function unreadFinding(
  path: string,
  why: string,
  level: GateFinding["level"] = "report",
): GateFinding {
  return gateFinding("not_scanned", path, {
    level,
    message: `${path} was not read for credentials and conflict markers: ${why}`,
    remedy:
      level === "report"
        ? "Read it yourself before you merge."
        : "Let the agent make smaller changes; or look at all of it, then set `gate.rules` `not_scanned` to `report`.",
  });
}

/** Up to this number, each has a finding of its own. */
const MAX_UNREAD = 1_000;

/**
 * Files that there was no time or room for. One finding for all further files comes first. It cannot be allowed,
 * since no person has seen those files.
 */
export function unreadFindings(paths: readonly string[], why: string): readonly GateFinding[] {
  const findings = paths.slice(0, MAX_UNREAD).map((path) => unreadFinding(path, why, "reject"));
  const next = paths[MAX_UNREAD];
  if (next === undefined) return findings;
  const rest = unreadFinding(next, why, "reject");
  const message = `${next} and ${paths.length - MAX_UNREAD - 1} more files were not read for credentials and conflict markers: ${why}`;
  return [{ ...rest, message, final: true }, ...findings];
}

/** The masked credential in the message of such a finding; null if there is none. */
export function maskedIn(message: string): string | null {
  return /holds a credential \([^)]*\): (.*?, \d+ characters|\d+ characters)/.exec(message)?.[1] ?? null;
}
