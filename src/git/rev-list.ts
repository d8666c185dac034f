/** Counts the commits that two histories do not share. */
import { err, ok, type Result } from "neverthrow";
import type { GitError } from "./git-error.ts";
import { readRef } from "./refs.ts";
import type { Git, GitTarget } from "./run-git.ts";

/**
 * `git rev-list HEAD..REMOTE/B`, after a fetch of B: whether the remote's branch has commits that HEAD lacks. A branch
 * that the remote does not have is not ahead of anyone.
 */
export async function isBehindRemote(
  git: Git,
  target: GitTarget,
  options: { readonly remote: string; readonly branch: string },
): Promise<Result<boolean, GitError>> {
  const tracking = `refs/remotes/${options.remote}/${options.branch}`;
  const there = await readRef(git, target, tracking);
  if (there.isErr()) return err(there.error);
  if (there.value === null) return ok(false);
  const listed = await git.run(target, ["rev-list", `HEAD..${tracking}`, "--max-count=1", "--"]);
  return listed.map(({ stdout }) => stdout !== "");
}

/** Whether a commit is part of another's history. */
export async function isAncestor(
  git: Git,
  target: GitTarget,
  revisions: { readonly ancestor: string; readonly of: string },
): Promise<Result<boolean, GitError>> {
  const asked = await git.run(target, ["merge-base", "--is-ancestor", revisions.ancestor, revisions.of], {
    expect: [0, 1],
  });
  return asked.map(({ exitCode }) => exitCode === 0);
}
