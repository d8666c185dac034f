/** Moves the branch that is checked out, with its files, to a later commit. */
import { err, ok } from "neverthrow";
import type { GitAnswer } from "../process/git-error.ts";
import { asRemoteError, type RemoteError } from "../process/remote-error.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";

type FastForwardError =
  | RemoteError
  /** The branch is not an ancestor of the commit any more; nothing was changed. */
  | { readonly kind: "not_possible"; readonly message: string }
  /** Files of the person would be overwritten, ignored ones too; nothing was changed. */
  | { readonly kind: "local_changes"; readonly message: string };

const ARGS = [
  "merge",
  "--ff-only",
  "--quiet",
  "--no-autostash",
  "--no-overwrite-ignore",
  "--no-verify-signatures",
];

/** `git merge --ff-only`, which changes nothing if it cannot do the whole. */
export async function fastForward(
  git: Git,
  target: GitTarget,
  sha: string,
): GitAnswer<void, FastForwardError> {
  const merged = await git.run(target, [...ARGS, sha], { access: "objects", lockRetries: 6 });
  if (merged.isOk()) return ok(undefined);
  const { error } = merged;
  if (error.kind !== "git_failed") return err(asRemoteError(error));
  const { message, stderr } = error;
  if (/not possible to fast-forward/i.test(stderr)) return err({ kind: "not_possible", message });
  if (/would be (overwritten|removed)|would lose untracked|not uptodate/.test(stderr))
    return err({ kind: "local_changes", message });
  return err(asRemoteError(error));
}
