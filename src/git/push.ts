/** Pushes one commit to a branch, never by force, and reads git's answer. */
import { err, ok, type Result } from "neverthrow";
import type { GitError } from "./git-error.ts";
import { asRemoteError, type RemoteError } from "./remote-error.ts";
import type { Git, GitTarget } from "./run-git.ts";
import { TAKEN_BY_STANDARD } from "./standard-programs.ts";
import { setUpstream } from "./upstream.ts";

/** The seed's `PushResult` (seed 003): `requiredPull` says that the remote has commits that we lack. */
export type PushResult =
  | {
      readonly success: true;
      readonly requiredPull: false;
      readonly error: null;
      /** The remote had the commit already. */
      readonly upToDate: boolean;
      /** False where it was pushed but the upstream could not be written into the configuration. */
      readonly upstreamWritten: boolean;
    }
  | { readonly success: false; readonly requiredPull: boolean; readonly error: PushFailure };

export type PushFailure =
  /** Fetch first, not a fast-forward, or overtaken by another push at the same time. */
  | { readonly kind: "behind"; readonly message: string }
  /** A hook or a rule of the remote; `remoteSaid` are its own lines. */
  | {
      readonly kind: "remote_rejected";
      readonly reason: string;
      readonly remoteSaid: string;
      readonly message: string;
    }
  | Extract<RemoteError, { readonly kind: "remote_auth" | "remote_unreachable" }>;

export interface PushRequest {
  readonly remote: string;
  readonly branch: string;
  /** What the branch becomes at the remote, in full, wherever it is here. */
  readonly sha: string;
  /** `set` on the first push of a branch (as `-u` does, in the shared configuration), then `keep`. */
  readonly upstream: "set" | "keep";
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** `git push REMOTE SHA:refs/heads/B --porcelain`, and the upstream where it is wanted. Under the push lock. */
export async function push(
  git: Git,
  target: GitTarget,
  request: PushRequest,
): Promise<Result<PushResult, GitError>> {
  const { remote, branch, sha } = request;
  const refspec = `${sha}:refs/heads/${branch}`;
  const pushed = await git.run(target, ["push", TAKEN_BY_STANDARD, remote, refspec, "--porcelain"], {
    access: "remote",
    // A mirror refuses to push a single branch.
    config: { [`remote.${remote}.mirror`]: "false" },
    ...(request.timeoutMs === undefined ? {} : { timeoutMs: request.timeoutMs }),
    ...(request.signal === undefined ? {} : { signal: request.signal }),
  });
  const result = pushed.isOk() ? ok(arrived(pushed.value.stdout)) : refused(pushed.error);
  if (request.upstream === "keep" || result.isErr() || !result.value.success) return result;
  const written = await setUpstream(git, target, { remote, branch });
  return ok({ ...result.value, upstreamWritten: written.isOk() });
}

function arrived(stdout: string): Extract<PushResult, { readonly success: true }> {
  return {
    success: true,
    requiredPull: false,
    error: null,
    upToDate: refLine(stdout)?.flag === "=",
    upstreamWritten: true,
  };
}

function refused(error: GitError): Result<PushResult, GitError> {
  const line = error.kind === "git_failed" ? refLine(error.stdout) : null;
  if (error.kind === "git_failed" && line?.flag === "!") return ok(rejected(line.summary, error));
  // The remote has it, whatever went wrong after that.
  if (error.kind === "git_failed" && line !== null) return ok(arrived(error.stdout));
  const remote = asRemoteError(error);
  if (remote.kind === "remote_auth" || remote.kind === "remote_unreachable")
    return ok({ success: false, requiredPull: false, error: remote });
  return err(remote);
}

/** Another push arrived between the remote's greeting and its lock: the remote does have newer commits by now. */
const MOVED_MEANWHILE = /cannot lock ref '[^']*': (?:is at [0-9a-f]+ but expected|reference already exists)/;

function rejected(summary: string, error: { readonly stderr: string; readonly message: string }): PushResult {
  const remoteSaid = [...error.stderr.matchAll(/^remote: ?(.*)$/gm)]
    .map((match) => (match[1] ?? "").trimEnd())
    .join("\n")
    .trim();
  const behind = /^\[rejected\] \((?:fetch first|non-fast-forward)\)$/.test(summary);
  if (behind || MOVED_MEANWHILE.test(`${summary}\n${remoteSaid}`))
    return {
      success: false,
      requiredPull: true,
      error: { kind: "behind", message: `the remote has newer commits: ${summary}` },
    };
  const message = remoteSaid === "" ? summary : `${summary}\n${remoteSaid}`;
  return {
    success: false,
    requiredPull: false,
    error: { kind: "remote_rejected", reason: summary, remoteSaid, message },
  };
}

/** `FLAG TAB FROM:TO TAB SUMMARY`: the line of our one reference. */
function refLine(stdout: string): { readonly flag: string; readonly summary: string } | null {
  const found = /^([ +\-*!=])\t[^\t\n]+:[^\t\n]+\t(.*)$/m.exec(stdout);
  return found === null ? null : { flag: found[1] ?? "", summary: found[2] ?? "" };
}
