/** Names the targets of git calls: an attempt's worktree, or its repository (seed 003 Clean-up). */
import type { Attempt } from "../../domain/attempt/attempt.ts";
import type { Repository } from "../../domain/repository/repository.ts";
import type { GitTarget } from "../../git/runner/run-git.ts";

/** The attempt's worktree, by the git directory that was recorded when git made it. */
export function worktreeTarget(attempt: Pick<Attempt, "id" | "gitDir" | "worktree">): GitTarget {
  if (attempt.gitDir === null) throw new Error(`attempt ${attempt.id} has no worktree yet`);
  return { gitDir: attempt.gitDir, workTree: attempt.worktree };
}

/** The repository as a whole: its references, not its files. */
export function repositoryTarget(repository: Pick<Repository, "commonDir">): GitTarget {
  return { gitDir: repository.commonDir, workTree: null };
}
