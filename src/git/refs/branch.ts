/** Deletes branches, and finds the branch that prevents another from being made (seed 003 Clean-up). */
import { err, ok } from "neverthrow";
import { nameInTheWay } from "../../domain/repository/branch-names.ts";
import type { GitAnswer, GitError } from "../process/git-error.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";
import { listRefs, type RefMoved, readRef, updateRef } from "./refs.ts";

type DeleteBranchError =
  | GitError
  /** A worktree has the branch checked out. */
  | { readonly kind: "branch_checked_out"; readonly branch: string; readonly message: string };

/**
 * `git branch -D`. Returns the commit that the branch was at, null if it is already gone. It also removes the
 * branch's section from the shared configuration: hold the repository's lock and the push lock
 * (`RepositoryLock.config`).
 */
export async function deleteBranch(
  git: Git,
  target: GitTarget,
  branch: string,
): GitAnswer<string | null, DeleteBranchError> {
  const options = { lockRetries: 6, config: { "core.abbrev": "no" } };
  const deleted = await git.run(target, ["branch", "-D", "--", branch], options);
  if (deleted.isOk()) return ok(/\(was ([0-9a-f]{40,})\)/.exec(deleted.value.stdout)?.[1] ?? null);
  const left = await readRef(git, target, `refs/heads/${branch}`);
  if (left.isOk() && left.value === null) return ok(null);
  const { error } = deleted;
  if (error.kind !== "git_failed" || !/checked out at|used by worktree/.test(error.stderr)) return err(error);
  return err({ kind: "branch_checked_out", branch, message: error.message });
}

/**
 * The same for a branch that should be at commit `at`. `git branch -D` deletes it at any commit. If the branch was
 * moved meanwhile, its new commit may have no other reference, so the branch is restored there.
 */
export async function deleteBranchAt(
  git: Git,
  target: GitTarget,
  { branch, at }: { readonly branch: string; readonly at: string },
): GitAnswer<void, DeleteBranchError | RefMoved> {
  const deleted = await deleteBranch(git, target, branch);
  if (deleted.isErr()) return err(deleted.error);
  const was = deleted.value;
  if (was === null || was === at) return ok(undefined);
  const ref = `refs/heads/${branch}`;
  const reason = "tazuna: put back, since somebody had moved it";
  const back = await updateRef(git, target, { ref, from: null, to: was, reason });
  if (back.isErr()) return err(back.error);
  const message = `${ref} is at ${was} now, not at ${at}`;
  return err({ kind: "ref_moved", ref, expected: at, current: was, message });
}

/**
 * The branch that prevents `branch` from being made, since git keeps names as paths. It is a parent folder of it
 * (`tazuna` for `tazuna/x`), or lies below it (`tazuna/x` for `tazuna`). Null if there is no conflict; an existing
 * branch of that very name does not count.
 */
export async function branchInTheWay(git: Git, target: GitTarget, branch: string): GitAnswer<string | null> {
  const parts = branch.split("/");
  const ancestors = parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("/"));
  const refs = await listRefs(git, target, {
    prefixes: [...ancestors, branch].map((name) => `refs/heads/${name}`),
  });
  return refs.map((found) =>
    nameInTheWay(
      branch,
      found.map(({ name }) => name.slice("refs/heads/".length)),
    ),
  );
}
