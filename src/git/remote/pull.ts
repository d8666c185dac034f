/**
 * Merges the remote's commits into a worktree, and undoes a merge that conflicts (seed 003 Push with retry,
 * GitService).
 */
import { err, ok, type Result, safeTry } from "neverthrow";
import { isThere } from "../../utils/files/is-there.ts";
import { unmergedPaths } from "../index/unmerged.ts";
import type { GitAnswer, GitError } from "../process/git-error.ts";
import { asRemoteError, type RemoteError } from "../process/remote-error.ts";
import { type Identity, identityVariables } from "../repository/identity.ts";
import { overPassingTrouble } from "../runner/ask-again.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";
import { SENT_BY_STANDARD } from "./remote.ts";

export type PullError =
  | RemoteError
  /** The merge is unfinished in the worktree: resolve it or call `abortMerge`. */
  | { readonly kind: "conflict"; readonly paths: readonly string[]; readonly message: string }
  /** Uncommitted files would be overwritten; nothing was changed. */
  | { readonly kind: "local_changes"; readonly paths: readonly string[]; readonly message: string }
  /** No common commit is known. In a shallow clone, fetch more and pull once more. */
  | { readonly kind: "unrelated_histories"; readonly message: string };

export type AbortMergeError = GitError | { readonly kind: "merge_still_there"; readonly message: string };

export interface MergeOptions {
  readonly identity: Identity;
  readonly sign: "inherit" | "off";
  readonly timeoutMs?: number;
}

/** `git pull --no-rebase --no-edit REMOTE B`. */
export async function pull(
  git: Git,
  target: GitTarget,
  options: MergeOptions & { readonly remote: string; readonly branch: string },
): GitAnswer<void, PullError> {
  const args = ["pull", SENT_BY_STANDARD, "--no-rebase", "--no-edit", options.remote, options.branch];
  const run = () => git.run(target, [...args, ...signing(options)], mergeOptions(options));
  return settle(git, target, await overPassingTrouble(run));
}

/** `git merge --no-edit REVISION`, for a base that a person wants merged in. */
export async function merge(
  git: Git,
  target: GitTarget,
  options: MergeOptions & { readonly revision: string },
): GitAnswer<void, PullError> {
  const args = ["merge", "--no-edit", ...signing(options), options.revision];
  return settle(git, target, await git.run(target, args, mergeOptions(options)));
}

/** `git merge --abort`: restores the files from before the merge. If no merge is in progress, nothing is done. */
export async function abortMerge(git: Git, target: GitTarget): GitAnswer<void, AbortMergeError> {
  return safeTry(async function* () {
    const merging = yield* await mergeInProgress(git, target);
    if (!merging) return ok(undefined);
    yield* await git.run(target, ["merge", "--abort"], { access: "objects" });
    const left = yield* await mergeInProgress(git, target);
    return left
      ? err({ kind: "merge_still_there" as const, message: "MERGE_HEAD is still there" })
      : ok(undefined);
  });
}

/** Whether MERGE_HEAD exists, at the path that git tells. */
export async function mergeInProgress(git: Git, target: GitTarget): GitAnswer<boolean> {
  const asked = await git.run(target, ["rev-parse", "--path-format=absolute", "--git-path", "MERGE_HEAD"]);
  if (asked.isErr()) return err(asked.error);
  const path = asked.value.stdout.replace(/\n$/, "");
  return ok(await isThere(path));
}

const NEVER = new AbortController().signal;

/**
 * With the user's `ff = only` a pull that must merge would fail. With `ff = false` it would make a commit even if a
 * fast-forward is enough.
 */
function mergeOptions(options: MergeOptions) {
  return {
    access: "remote",
    // An interrupted write of files cannot be undone, so this call cannot be canceled.
    signal: NEVER,
    config: { "pull.ff": "true", "merge.ff": "true", "pull.rebase": "false" },
    extraEnv: identityVariables(options.identity),
    lockRetries: 0,
    ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
  } as const;
}

function signing(options: MergeOptions): string[] {
  return options.sign === "off" ? ["--no-gpg-sign"] : [];
}

async function settle(
  git: Git,
  target: GitTarget,
  ended: Result<unknown, GitError>,
): GitAnswer<void, PullError> {
  if (ended.isOk()) return ok(undefined);
  const { error } = ended;
  if (error.kind !== "git_failed") return err(asRemoteError(error));
  const { message, stderr } = error;
  if (/refusing to merge unrelated histories/.test(stderr))
    return err({ kind: "unrelated_histories", message });
  const unmerged = await unmergedPaths(git, target);
  if (unmerged.isErr()) return err(unmerged.error);
  if (unmerged.value.length > 0)
    return err({ kind: "conflict", paths: unmerged.value, message: conflictMessage(unmerged.value) });
  if (/would be overwritten by merge|would lose untracked/.test(stderr))
    return err({ kind: "local_changes", paths: indented(stderr), message });
  return err(asRemoteError(error));
}

function conflictMessage(paths: readonly string[]): string {
  return `both sides changed ${paths.slice(0, 10).join(", ")}${paths.length > 10 ? ` and ${paths.length - 10} more` : ""}`;
}

/** The paths that git lists below its error, one a line after a TAB. */
function indented(stderr: string): string[] {
  return [...stderr.matchAll(/^\t(.+)$/gm)].flatMap((match) => match[1] ?? []);
}
