/** Looks for work in a worktree that no commit holds. */
import { err, ok, type Result } from "neverthrow";
import type { GitError } from "./git-error.ts";
import { operationInProgress } from "./merge-state.ts";
import { fromNul } from "./nul-list.ts";
import { readHead } from "./refs.ts";
import type { Git, GitTarget } from "./run-git.ts";
import { filledGitlinks, listIndexGitlinks } from "./submodule.ts";

export interface WorktreeWork {
  /** HEAD: its commit (null before the first one) and its branch (null while it is detached). */
  readonly head: { readonly sha: string | null; readonly branch: string | null };
  /** Changed, staged and untracked paths; ignored ones are not looked for. */
  readonly uncommitted: readonly string[];
  /** Submodules that were filled: git is not run in them, so whether they hold work is not known. */
  readonly submodules: readonly string[];
  /** Such as `merge`; null where git is in the middle of nothing. */
  readonly operation: string | null;
}

const STATUS = ["status", "--porcelain", "-z", "--untracked-files=normal", "--no-renames"];

export async function findWork(git: Git, target: GitTarget): Promise<Result<WorktreeWork, GitError>> {
  const head = await readHead(git, target);
  if (head.isErr()) return err(head.error);
  const operation = await operationInProgress(git, target);
  if (operation.isErr()) return err(operation.error);
  const status = await git.run(target, [...STATUS, "--ignore-submodules=all"]);
  if (status.isErr()) return err(status.error);
  const gitlinks = await listIndexGitlinks(git, target);
  if (gitlinks.isErr()) return err(gitlinks.error);
  return ok({
    head: head.value,
    uncommitted: fromNul(status.value.stdout).map((line) => line.slice(3)),
    submodules: await filledGitlinks(target, gitlinks.value),
    operation: operation.value?.name ?? null,
  });
}
