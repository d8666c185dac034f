/** Gives a worktree whose files are there its registration back, where git has lost it. */
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import type { Repository } from "../../domain/repository/repository.ts";
import type { GitTarget } from "../../git/run-git.ts";
import { listWorktrees } from "../../git/worktree-list.ts";
import { registerAgain } from "../../git/worktree-register.ts";
import { isThere } from "../../utils/is-there.ts";
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
  const entries = await readdir(worktree).catch(() => []);
  if (gitDir === null || entries.length === 0) return "gone";
  return (await isThere(join(gitDir, "HEAD"))) ? "whole" : "unregistered";
}

/** What a push is run in: what is committed needs no files, so the repository does where the worktree is lost. */
export async function pushTarget({ attempt, repository }: Of): Promise<GitTarget> {
  return (await remainsOf(attempt)) === "whole" ? worktreeTarget(attempt) : repositoryTarget(repository);
}

/** True where it is registered again, on its branch, with every file as it was; false where it has to be made anew. */
export async function reattachWorktree(
  context: ServiceContext,
  { attempt, repository }: Of,
): Promise<boolean> {
  const { gitDir, worktree: workTree, branch } = attempt;
  if (gitDir === null || (await isFolder(join(workTree, ".git")))) return false;
  return context.locks.shared(repository.commonDir, async () => {
    const listed = await listWorktrees(context.git, repositoryTarget(repository));
    const isFree = listed.isOk() && !listed.value.some((other) => other.branch === branch);
    if (!isFree) return false;
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
    return registered.unwrapOr(false);
  });
}

async function isFolder(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null))?.isDirectory() ?? false;
}
