/** Brings remote-tracking references up to date; the caller holds the repository's lock (seed 003 Phase 1, Push with retry). */
import { err, ok } from "neverthrow";
import type { GitAnswer } from "../process/git-error.ts";
import { asRemoteError, type RemoteError } from "../process/remote-error.ts";
import { overPassingTrouble } from "../runner/ask-again.ts";
import type { Git, GitOptions, GitTarget } from "../runner/run-git.ts";
import { fetchesOverLocalRefs, type Remote, SENT_BY_STANDARD } from "./remote.ts";

type Source = Pick<Remote, "name" | "fetchRefspecs">;

type FetchBranchError =
  | RemoteError
  /** The remote has no branch of that name. */
  | { readonly kind: "remote_branch_missing"; readonly branch: string; readonly message: string };

/** FETCH_HEAD is left to the user's own fetches. */
const KEEP_FETCH_HEAD = "--no-write-fetch-head";

const OPTIONS: GitOptions = { access: "remote", lockRetries: 6 };

/**
 * `git fetch REMOTE --prune`. A mirror's refspecs would overwrite and prune our own branches. So a mirror is fetched
 * into `refs/remotes/REMOTE/` instead.
 */
export async function fetchRemote(
  git: Git,
  target: GitTarget,
  remote: Source,
  options: { readonly signal?: AbortSignal } = {},
): GitAnswer<void, RemoteError> {
  const instead = ["--refmap=", `+refs/heads/*:refs/remotes/${remote.name}/*`];
  const refspecs = fetchesOverLocalRefs(remote) ? instead : [];
  const fetched = await runFetch(
    git,
    target,
    [remote.name, "--prune", KEEP_FETCH_HEAD, ...refspecs],
    options,
  );
  return fetched.mapErr(asRemoteError).map(() => undefined);
}

/** `git fetch REMOTE +refs/heads/B:refs/remotes/REMOTE/B`: fetches one branch, also in single-branch clones. */
export async function fetchBranch(
  git: Git,
  target: GitTarget,
  options: { readonly remote: Source; readonly branch: string },
): GitAnswer<void, FetchBranchError> {
  const refmap = fetchesOverLocalRefs(options.remote) ? ["--refmap="] : [];
  const args = [options.remote.name, refspecOf(options), KEEP_FETCH_HEAD, ...refmap];
  const fetched = await runFetch(git, target, args);
  if (fetched.isOk()) return ok(undefined);
  const { error } = fetched;
  const { branch } = options;
  if (error.kind === "git_failed" && /couldn't find remote ref/i.test(error.stderr))
    return err({ kind: "remote_branch_missing", branch, message: error.message });
  return err(asRemoteError(error));
}

/** Fetches the whole history of a branch into a shallow clone (once, if the histories seem unrelated). */
export async function unshallow(
  git: Git,
  target: GitTarget,
  options: { readonly remote: Source; readonly branch: string },
): GitAnswer<void, RemoteError> {
  const args = ["--unshallow", options.remote.name, refspecOf(options), KEEP_FETCH_HEAD];
  const fetched = await runFetch(git, target, args);
  if (fetched.isOk()) return ok(undefined);
  const { error } = fetched;
  const complete =
    error.kind === "git_failed" && /complete repository does not make sense/.test(error.stderr);
  return complete ? ok(undefined) : err(asRemoteError(error));
}

function refspecOf(options: { readonly remote: Source; readonly branch: string }): string {
  return `+refs/heads/${options.branch}:refs/remotes/${options.remote.name}/${options.branch}`;
}

function runFetch(
  git: Git,
  target: GitTarget,
  args: readonly string[],
  options: { readonly signal?: AbortSignal } = {},
) {
  const fetch = ["fetch", SENT_BY_STANDARD, ...args];
  const run = () => git.run(target, fetch, { ...OPTIONS, ...options });
  return overPassingTrouble(run, { orKilled: true });
}
