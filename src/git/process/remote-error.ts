/** Tells apart why a remote could not be used: unreachable, access refused, or another reason. */
import type { GitError } from "./git-error.ts";

/** The host's name is unknown; nothing serves git there; no repository is there; anything else on the way. */
type WhyUnreachable = "name" | "refused" | "not_found" | "network";

export type RemoteError =
  | GitError
  /** No answer, a broken connection, or no repository at that address. */
  | {
      readonly kind: "remote_unreachable";
      readonly command: string;
      readonly message: string;
      readonly timedOut: boolean;
      readonly why: WhyUnreachable;
    }
  /** The remote wants credentials that the user's git cannot give without a prompt. */
  | { readonly kind: "remote_auth"; readonly command: string; readonly message: string };

/** The error of a call to a remote. A call that hung counts as an unreachable remote. */
export function asRemoteError(error: GitError): RemoteError {
  const { command, message } = error;
  if (error.kind === "timed_out")
    return { kind: "remote_unreachable", command, message, timedOut: true, why: "network" };
  if (error.kind !== "git_failed") return error;
  if (AUTH.test(error.stderr)) return { kind: "remote_auth", command, message };
  if (UNREACHABLE.test(error.stderr))
    return {
      kind: "remote_unreachable",
      command,
      message,
      timedOut: false,
      why: whyUnreachable(error.stderr),
    };
  return error;
}

function whyUnreachable(stderr: string): WhyUnreachable {
  if (UNKNOWN_NAME.test(stderr)) return "name";
  if (/Connection refused|Couldn't connect to server/i.test(stderr)) return "refused";
  return NO_REPOSITORY.test(stderr) ? "not_found" : "network";
}

const UNKNOWN_NAME =
  /Could not resolve|Name or service not known|Temporary failure in name resolution|nodename nor servname/i;

/** Messages of git itself, of its http and ssh servers, and of forges. */
const NO_REPOSITORY =
  /does not appear to be a git repository|repository '[^']*' (?:not found|does not exist)|repository not found|no such repository|project you were looking for could not be found/i;

/** Whether an http server refused access before anything was changed. */
export function wantsCredentials(error: GitError): boolean {
  return error.kind === "git_failed" && WANTS_CREDENTIALS.test(error.stderr);
}

/** Whether no credential helper had an answer. */
export function asksInVain(error: GitError): boolean {
  return error.kind === "git_failed" && ASKS_IN_VAIN.test(error.stderr);
}

/** What git before 2.47 says, and since: it obeys `credential.interactive`. */
const ASKS_IN_VAIN = /could not read (?:Username|Password) for|unable to get password from user/;

/** Messages of git and of Git LFS. */
const WANTS_CREDENTIALS = new RegExp(
  [
    "Authentication failed for '?https?:",
    "could not read (?:Username|Password) for '?https?:",
    "unable to get password from user",
    "returned error: 40[13]\\b",
    "Authorization error: https?:",
  ].join("|"),
);

const AUTH = new RegExp(
  [
    "Authentication failed",
    "could not read (?:Username|Password)",
    "unable to get password from user",
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
