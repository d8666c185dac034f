/** Registers a worktree again if its files are there but git has lost the registration. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { err, ok, type Result } from "neverthrow";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import type { GitError } from "../../git/process/git-error.ts";
import type { GitTarget } from "../../git/runner/run-git.ts";
import { findDamage } from "../../git/worktree/worktree-damage.ts";
import { listWorktrees } from "../../git/worktree/worktree-list.ts";
import { registerAgain } from "../../git/worktree/worktree-register.ts";
import { isFolder, isGone, isThere } from "../../utils/files/is-there.ts";
import type { GitContext, Uses } from "../core/context-parts.ts";
import type { AttemptInRepository } from "../core/find-place.ts";
import { journaled } from "../core/journal.ts";
import { repositoryTarget, worktreeTarget } from "../run-core/targets.ts";

/** What is left of a worktree that an attempt once had. */
type WorktreeRemains =
  /** Files and registration; at most the pointers between them, HEAD or the index need mending. */
  | "whole"
  /** Files without a registration. */
  | "unregistered"
  | "gone";

/**
 * True if it is registered again, on its branch, with every file as it was. False if it must be made anew. An error if
 * git cannot say.
 */
export async function reattachWorktree(
  context: GitContext & Uses<"locks">,
  { attempt, repository }: AttemptInRepository,
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

/** Starts no process. An empty folder counts as gone: as a worktree it would show every file as deleted. */
export async function remainsOf({
  gitDir,
  worktree,
}: Pick<Attempt, "gitDir" | "worktree">): Promise<WorktreeRemains> {
  // A folder that cannot be read is not gone.
  const entries = await readdir(worktree).catch((error) => (isGone(error) ? [] : [worktree]));
  if (gitDir === null || entries.length === 0) return "gone";
  return (await isThere(gitDir)) ? "whole" : "unregistered";
}

/** The place in which to run a push. A push needs no files, so the repository will do if the worktree is lost. */
export async function pushTarget({ attempt, repository }: AttemptInRepository): Promise<GitTarget> {
  const { gitDir, branch } = attempt;
  const isWhole = (await remainsOf(attempt)) === "whole" && gitDir !== null;
  const damages = isWhole ? await findDamage({ gitDir, branch }) : [];
  return isWhole && damages.length === 0 ? worktreeTarget(attempt) : repositoryTarget(repository);
}
