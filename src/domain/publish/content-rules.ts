/** Words the findings that come from reading what was staged. */
import type { GateFinding } from "./gate-finding.ts";
import { maskCredential } from "./mask.ts";

export interface FoundCredential {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** Of which service; `random` for a long random string under the name of a secret. */
  readonly kind: string;
  readonly credential: string;
}

export function credentialFinding({ path, line, kind, credential }: FoundCredential): GateFinding {
  const what = kind === "random" ? "a random string that looks like a secret" : `a credential (${kind})`;
  return {
    rule: "credential",
    level: "reject",
    path,
    line,
    message: `${path}:${line} holds ${what}: ${maskCredential(credential)}`,
    remedy:
      "Ask the agent to take it out and to read it from the environment. If it is real, revoke it: the agent has seen it.",
  };
}

export function conflictFinding(path: string, line: number): GateFinding {
  return {
    rule: "conflict_marker",
    level: "reject",
    path,
    line,
    message: `${path}:${line} holds conflict markers`,
    remedy: "Ask the agent to resolve the conflict and to remove the markers.",
  };
}

export function linkFinding(path: string): GateFinding {
  return {
    rule: "symlink_outside",
    level: "reject",
    path,
    message: `${path} is a symbolic link that leads out of the repository`,
    remedy:
      "Ask the agent to replace it with a relative link inside the repository, or with the file itself.",
  };
}

export function binaryFinding(path: string): GateFinding {
  return {
    rule: "binary_file",
    level: "report",
    path,
    message: `${path} is binary; only credentials of a known shape were looked for in it`,
    remedy: "Look at what it is before you merge, or ignore it.",
  };
}

/** `why` completes the sentence. Where there was only too much, an agent may have made it so: then it rejects. */
export function unreadFinding(
  path: string,
  why: string,
  level: GateFinding["level"] = "report",
): GateFinding {
  return {
    rule: "not_scanned",
    level,
    path,
    message: `${path} was not read for credentials and conflict markers: ${why}`,
    remedy:
      level === "report"
        ? "Read it yourself before you merge."
        : "Let the agent make smaller changes; or look at all of it, then set `gate.rules` `not_scanned` to `report`.",
  };
}

/** Of so many, the first are told each by itself. */
const MOST_UNREAD = 1_000;

/** Files that there was no time or room for. What is one finding for hundreds of thousands comes first, and nobody can allow it: nobody was shown them. */
export function unreadFindings(paths: readonly string[], why: string): readonly GateFinding[] {
  const told = paths.slice(0, MOST_UNREAD).map((path) => unreadFinding(path, why, "reject"));
  const next = paths[MOST_UNREAD];
  if (next === undefined) return told;
  const rest = unreadFinding(next, why, "reject");
  const message = `${next} and ${paths.length - MOST_UNREAD - 1} more files were not read for credentials and conflict markers: ${why}`;
  return [{ ...rest, message, final: true }, ...told];
}
