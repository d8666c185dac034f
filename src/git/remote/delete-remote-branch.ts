/** Deletes a branch of a remote, if it is at the commit that the caller knows. */
import { err, ok } from "neverthrow";
import type { GitAnswer } from "../process/git-error.ts";
import { asRemoteError, type RemoteError } from "../process/remote-error.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";
import { TAKEN_BY_STANDARD } from "./remote.ts";

/**
 * `git push REMOTE :refs/heads/B`. The lease only refuses: without it git deletes what it meets. `kept` if the branch is
 * at another commit, or if the remote does not let it go. Under the push lock.
 */
export async function deleteRemoteBranch(
  git: Git,
  target: GitTarget,
  { remote, branch, at }: { readonly remote: string; readonly branch: string; readonly at: string },
): GitAnswer<{ readonly kept: string | null }, RemoteError> {
  const ref = `refs/heads/${branch}`;
  const lease = `--force-with-lease=${ref}:${at}`;
  const args = ["push", TAKEN_BY_STANDARD, lease, remote, `:${ref}`, "--porcelain"];
  const pushed = await git.run(target, args, {
    access: "remote",
    config: { [`remote.${remote}.mirror`]: "false" },
  });
  if (pushed.isOk()) return ok({ kept: null });
  const refused = pushed.error.kind === "git_failed" ? /^!\t.*$/m.exec(pushed.error.stdout)?.[0] : undefined;
  return refused === undefined
    ? err(asRemoteError(pushed.error))
    : ok({ kept: refused.split("\t").at(-1) ?? "" });
}
