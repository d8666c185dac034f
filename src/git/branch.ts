/** Deletes branches, and finds the branch that keeps another from being made. */
import { err, ok, type Result } from "neverthrow";
import type { GitError } from "./git-error.ts";
import { listRefs, readRef } from "./refs.ts";
import type { Git, GitTarget } from "./run-git.ts";

export type DeleteBranchError =
  | GitError
  /** A worktree has it checked out. */
  | { readonly kind: "branch_checked_out"; readonly branch: string; readonly message: string };

/**
 * `git branch -D`. A branch that is already gone is deleted. It also takes the branch's section out of the shared
 * configuration: hold the repository's lock and the push lock (`RepositoryLock.config`).
 */
export async function deleteBranch(
  git: Git,
  target: GitTarget,
  branch: string,
): Promise<Result<void, DeleteBranchError>> {
  const deleted = await git.run(target, ["branch", "-D", "--", branch], { lockRetries: 6 });
  if (deleted.isOk()) return ok(undefined);
  const left = await readRef(git, target, `refs/heads/${branch}`);
  if (left.isOk() && left.value === null) return ok(undefined);
  const { error } = deleted;
  if (error.kind !== "git_failed" || !/checked out at|used by worktree/.test(error.stderr)) return err(error);
  return err({ kind: "branch_checked_out", branch, message: error.message });
}

/**
 * The branch because of which `branch` cannot be made: one that is a folder on its way (`tazuna` for `tazuna/x`), or
 * one below it (`tazuna/x` for `tazuna`). Null where none is in the way; an existing branch of that very name is not.
 */
export async function branchInTheWay(
  git: Git,
  target: GitTarget,
  branch: string,
): Promise<Result<string | null, GitError>> {
  const parts = branch.split("/");
  const ancestors = parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("/"));
  const refs = await listRefs(git, target, {
    prefixes: [...ancestors, branch].map((name) => `refs/heads/${name}`),
  });
  return refs.map((found) => {
    const names = found.map(({ name }) => name.slice("refs/heads/".length));
    return names.find((name) => ancestors.includes(name) || name.startsWith(`${branch}/`)) ?? null;
  });
}
