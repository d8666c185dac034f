/** Gives a worktree whose files are there its registration back, where git has lost it. */
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { err, ok, type Result } from "neverthrow";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import type { Repository } from "../../domain/repository/repository.ts";
import type { GitError } from "../../git/git-error.ts";
import type { GitTarget } from "../../git/run-git.ts";
import { listWorktrees } from "../../git/worktree-list.ts";
import { registerAgain } from "../../git/worktree-register.ts";
import { isGone, isThere } from "../../utils/is-there.ts";
import type { ServiceContext } from "../context.ts";
import { journaled } from "../journal.ts";
import { repositoryTarget, worktreeTarget } from "./targets.ts";

/** What is left of a worktree that an attempt once had. */
export type WorktreeRemains =
  /** Files and registration; at most the pointers between them are to be mended. */
  | "whole"
  /** Files without a registration. */
  | "unregistered"
  | "gone";

interface Of {
  readonly attempt: Attempt;
  readonly repository: Repository;
}

/** Asks no process. An empty folder is nothing: to take it for the worktree would be to take every file for deleted. */
export async function remainsOf({
  gitDir,
  worktree,
}: Pick<Attempt, "gitDir" | "worktree">): Promise<WorktreeRemains> {
  // What cannot be looked into is not gone.
  const entries = await readdir(worktree).catch((error) => (isGone(error) ? [] : [worktree]));
  if (gitDir === null || entries.length === 0) return "gone";
  return (await isThere(join(gitDir, "HEAD"))) ? "whole" : "unregistered";
}

/** What a push is run in: what is committed needs no files, so the repository does where the worktree is lost. */
export async function pushTarget({ attempt, repository }: Of): Promise<GitTarget> {
  return (await remainsOf(attempt)) === "whole" ? worktreeTarget(attempt) : repositoryTarget(repository);
}

/** An error where git cannot say. True where it is registered again, on its branch, with every file as it was; false where it has to be made anew. */
export async function reattachWorktree(
  context: ServiceContext,
  { attempt, repository }: Of,
): Promise<Result<boolean, GitError>> {
  const { gitDir, worktree: workTree, branch } = attempt;
  if (gitDir === null || (await isFolder(join(workTree, ".git")))) return ok(false);
  return context.locks.shared(repository.commonDir, async () => {
    const listed = await listWorktrees(context.git, repositoryTarget(repository));
    if (listed.isErr()) return err(listed.error);
    if (listed.value.some((other) => other.branch === branch)) return ok(false);
    const registered = await journaled(
      context,
      {
        kind: "worktree_repair",
        subject: { type: "attempt", id: attempt.id },
        before: { paths: [workTree] },
      },
      () => registerAgain(context.git, { gitDir, workTree, branch }),
      (again) => (again ? { paths: [workTree] } : null),
    );
    if (registered.isOk()) return ok(registered.value);
    return registered.error.kind === "redirected" ? ok(false) : err(registered.error);
  });
}

async function isFolder(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null))?.isDirectory() ?? false;
}
