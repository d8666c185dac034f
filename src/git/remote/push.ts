/** Pushes one commit to a branch, never by force, and reads git's answer (seed 003 Phase 3, GitService). */
import { err, ok, type Result } from "neverthrow";
import type { GitAnswer, GitError } from "../process/git-error.ts";
import { redactUrl } from "../process/redact-url.ts";
import { asRemoteError, type RemoteError } from "../process/remote-error.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";
import { TAKEN_BY_STANDARD } from "./remote.ts";
import { setUpstream } from "./upstream.ts";

/** The seed's `PushResult` (seed 003 Phase 3). `requiredPull` says that the remote has commits that we lack. */
export type PushResult =
  | {
      readonly success: true;
      readonly requiredPull: false;
      readonly error: null;
      /** The remote had the commit already. */
      readonly upToDate: boolean;
      /** False if the push succeeded but the upstream could not be written into the configuration. */
      readonly upstreamWritten: boolean;
    }
  | { readonly success: false; readonly requiredPull: boolean; readonly error: PushFailure };

/** Which of several addresses failed, and which ones have the commit all the same. */
interface FailedAddress {
  readonly url: string;
  readonly arrived: readonly string[];
}

export type PushFailure = (
  | {
      /**
       * Fetch first, not a fast-forward, or overtaken by another push at the same time. With `create`: the branch
       * exists.
       */
      readonly kind: "behind";
      readonly message: string;
    }
  /** A hook or a rule of the remote rejected it; `remoteSaid` holds the remote's own lines. */
  | {
      readonly kind: "remote_rejected";
      readonly reason: string;
      readonly remoteSaid: string;
      readonly message: string;
    }
  | Extract<RemoteError, { readonly kind: "remote_auth" | "remote_unreachable" }>
) & {
  /** Absent if the remote has one address only. */
  readonly at?: FailedAddress;
};

export interface PushRequest {
  readonly remote: string;
  /** The remote's addresses, without credentials, if it has several. The push succeeds if every one of them took it. */
  readonly addresses?: readonly string[];
  readonly branch: string;
  /** The full id of the commit that the branch gets at the remote. The local branch may be at another one. */
  readonly sha: string;
  /** `set` on the first push of a branch (as `-u` does, in the shared configuration), then `keep`. */
  readonly upstream: "set" | "keep";
  /**
   * Whether the branch may exist already (default `update`). `create` is refused then, unless the branch has just
   * that commit.
   */
  readonly how?: "create" | "update";
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** `git push REMOTE SHA:refs/heads/B --porcelain`, and the upstream if it is wanted. Under the push lock. */
export async function push(git: Git, target: GitTarget, request: PushRequest): GitAnswer<PushResult> {
  const { remote, branch, sha, how = "update", addresses = [] } = request;
  const refspec = `${sha}:refs/heads/${branch}`;
  // Expects that the branch does not exist, so nothing can be overwritten.
  const lease = how === "create" ? [`--force-with-lease=refs/heads/${branch}:`] : [];
  const args = ["push", TAKEN_BY_STANDARD, ...lease, remote, refspec, "--porcelain"];
  const pushed = await git.run(target, args, {
    access: "remote",
    // A mirror refuses to push a single branch.
    config: { [`remote.${remote}.mirror`]: "false" },
    ...(request.timeoutMs === undefined ? {} : { timeoutMs: request.timeoutMs }),
    ...(request.signal === undefined ? {} : { signal: request.signal }),
  });
  const result = pushed.isOk()
    ? ok(arrived(refLines(pushed.value.stdout)))
    : refused(pushed.error, addresses);
  if (request.upstream === "keep" || result.isErr() || !result.value.success) return result;
  const written = await setUpstream(git, target, { remote, branch });
  return ok({ ...result.value, upstreamWritten: written.isOk() });
}

function arrived(lines: readonly RefLine[]): Extract<PushResult, { readonly success: true }> {
  return {
    success: true,
    requiredPull: false,
    error: null,
    upToDate: lines.every(({ flag }) => flag === "="),
    upstreamWritten: true,
  };
}

function refused(error: GitError, addresses: readonly string[]): Result<PushResult, GitError> {
  const lines = error.kind === "git_failed" ? refLines(error.stdout) : [];
  const good = lines.filter(({ flag }) => flag !== "!").map(({ url }) => url);
  const bad = lines.find(({ flag }) => flag === "!");
  const at = (url: string | undefined) =>
    addresses.length > 1 && url !== undefined ? { at: { url: redactUrl(url), arrived: good } } : {};
  if (error.kind === "git_failed" && bad !== undefined) return ok(rejected(bad, error, at(bad.url)));
  // Every address has the commit, even if something failed after that.
  if (error.kind === "git_failed" && lines.length >= Math.max(1, addresses.length)) return ok(arrived(lines));
  const remote = asRemoteError(error);
  // Git pushes to the addresses in order, and stops at the first unreachable one.
  const failed = addresses[lines.length];
  if (remote.kind === "remote_auth" || remote.kind === "remote_unreachable")
    return ok({
      success: false,
      requiredPull: false,
      error: { ...remote, ...at(failed) },
    });
  return err(remote);
}

/** Another push arrived between the remote's greeting and its lock, so the remote has newer commits by now. */
const MOVED_MEANWHILE = /cannot lock ref '[^']*': (?:is at [0-9a-f]+ but expected|reference already exists)/;

function rejected(
  { summary }: RefLine,
  error: { readonly stderr: string; readonly message: string },
  at: { readonly at?: FailedAddress },
): PushResult {
  const remoteSaid = [...error.stderr.matchAll(/^remote: ?(.*)$/gm)]
    .map((match) => (match[1] ?? "").trimEnd())
    .join("\n")
    .trim();
  const behind = /^\[rejected\] \((?:fetch first|non-fast-forward|stale info)\)$/.test(summary);
  if (behind || MOVED_MEANWHILE.test(`${summary}\n${remoteSaid}`))
    return {
      success: false,
      requiredPull: true,
      error: { kind: "behind", message: `${whyBehind(summary)}: ${summary}`, ...at },
    };
  const message = remoteSaid === "" ? summary : `${summary}\n${remoteSaid}`;
  return {
    success: false,
    requiredPull: false,
    error: { kind: "remote_rejected", reason: summary, remoteSaid, message, ...at },
  };
}

/** Only a first push uses a lease. */
function whyBehind(summary: string): string {
  return summary.includes("stale info")
    ? "it has a branch of that name already"
    : "the remote has newer commits";
}

interface RefLine {
  readonly url: string;
  readonly flag: string;
  readonly summary: string;
}

/** For each address: `To URL`, then `FLAG TAB FROM:TO TAB SUMMARY`, the line of our one reference. */
function refLines(stdout: string): readonly RefLine[] {
  const lines: RefLine[] = [];
  let url = "";
  for (const line of stdout.split("\n")) {
    if (line.startsWith("To ")) url = line.slice(3);
    const found = /^([ +\-*!=])\t[^\t\n]+:[^\t\n]+\t(.*)$/.exec(line);
    if (found !== null) lines.push({ url, flag: found[1] ?? "", summary: found[2] ?? "" });
  }
  return lines;
}
