/** Tells apart why a remote could not be used: not reached, not let in, or something else. */
import type { GitError } from "./git-error.ts";

export type RemoteError =
  | GitError
  /** No answer, a broken connection, or no repository at that address. */
  | {
      readonly kind: "remote_unreachable";
      readonly command: string;
      readonly message: string;
      readonly timedOut: boolean;
    }
  /** The remote wants credentials that the user's own git does not give without asking. */
  | { readonly kind: "remote_auth"; readonly command: string; readonly message: string };

/** The error of a call that talked to a remote. A call that hung counts as a remote out of reach. */
export function asRemoteError(error: GitError): RemoteError {
  const { command, message } = error;
  if (error.kind === "timed_out") return { kind: "remote_unreachable", command, message, timedOut: true };
  if (error.kind !== "git_failed") return error;
  if (AUTH.test(error.stderr)) return { kind: "remote_auth", command, message };
  if (UNREACHABLE.test(error.stderr))
    return { kind: "remote_unreachable", command, message, timedOut: false };
  return error;
}

/** Whether a server that is spoken to over http refused whoever asked, before anything was changed. */
export function wantsCredentials(error: GitError): boolean {
  return error.kind === "git_failed" && WANTS_CREDENTIALS.test(error.stderr);
}

/** Whether no credential helper had an answer. */
export function asksInVain(error: GitError): boolean {
  return error.kind === "git_failed" && /could not read (?:Username|Password) for/.test(error.stderr);
}

/** In the words of git and of Git LFS. */
const WANTS_CREDENTIALS =
  /Authentication failed for '?https?:|could not read (?:Username|Password) for '?https?:|returned error: 40[13]\b|Authorization error: https?:/;

const AUTH = new RegExp(
  [
    "Authentication failed",
    "could not read (?:Username|Password)",
    "terminal prompts disabled",
    "Permission denied \\(",
    "Host key verification failed",
    "returned error: 40[13]",
    "Access denied",
    "invalid credentials",
    "not authorized",
  ].join("|"),
  "i",
);

const UNREACHABLE = new RegExp(
  [
    "Could not resolve",
    "Connection (?:refused|reset|timed out|closed)",
    "Operation timed out",
    "Network is unreachable",
    "No route to host",
    "Failed to connect",
    "unable to (?:access|connect|look up)",
    "Could not read from remote repository",
    "does not appear to be a git repository",
    "repository '[^']*' (?:not found|does not exist)",
    "hung up unexpectedly",
    "early EOF",
    "RPC failed",
    "unable to find remote helper",
    "transport '[^']*' not allowed",
    "No such remote",
  ].join("|"),
  "i",
);
