/** Lists what a worktree holds beyond its index: changed and untracked files. */
import { err, type Result } from "neverthrow";
import type { GitError } from "./git-error.ts";
import { fromNul } from "./nul-list.ts";
import type { Git, GitTarget } from "./run-git.ts";

const CHANGED = ["diff", "--name-only", "-z", "--no-renames", "--ignore-submodules=all", "--no-ext-diff"];

/**
 * Paths whose content differs from the index or that are not in it, sorted. Ignored files are not looked at, nor are
 * submodules (git would run in them).
 */
export async function listUnstaged(
  git: Git,
  target: GitTarget,
): Promise<Result<readonly string[], GitError>> {
  const changed = await git.run(target, CHANGED);
  if (changed.isErr()) return err(changed.error);
  const untracked = await git.run(target, ["ls-files", "--others", "--exclude-standard", "-z"]);
  return untracked.map(({ stdout }) => [...fromNul(changed.value.stdout), ...fromNul(stdout)].sort());
}

/** Those of the index that are gone, also where their folder has become a link to one that holds files of these names. */
export async function listGone(git: Git, target: GitTarget): Promise<Result<readonly string[], GitError>> {
  const gone = await git.run(target, [...CHANGED, "--diff-filter=D"]);
  return gone.map(({ stdout }) => fromNul(stdout));
}
