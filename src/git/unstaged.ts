/** Lists what a worktree holds beyond its index: changed and untracked files. */
import { err, type Result } from "neverthrow";
import { listFields } from "./each-field.ts";
import type { GitError } from "./git-error.ts";
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
  const changed = await listFields(git, target, CHANGED);
  if (changed.isErr()) return err(changed.error);
  const untracked = await listFields(git, target, ["ls-files", "--others", "--exclude-standard", "-z"]);
  return untracked.map((others) => [...changed.value, ...others].sort());
}

/** Those of the index that are gone, also where their folder has become a link to one that holds files of these names. */
export async function listGone(git: Git, target: GitTarget): Promise<Result<readonly string[], GitError>> {
  return listFields(git, target, [...CHANGED, "--diff-filter=D"]);
}
