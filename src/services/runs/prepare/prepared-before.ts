/** Continues a run from an earlier start that the database does not know, because an older copy was put back. */
import { inspectWorktree } from "../../../git/worktree/worktree-list.ts";
import type { Uses } from "../../core/context-parts.ts";
import { gitFailed } from "../../run-core/git-failure.ts";
import { readStart } from "../../run-core/record-start.ts";
import { failed, type RunWorld, type Step } from "../../run-core/step.ts";
import { repositoryTarget } from "../../run-core/targets.ts";
import { wholeWorktree } from "../../worktrees/make-worktree.ts";
import { readLaunch } from "../agent/launch.ts";

/**
 * Null if its agent was never started, as in nearly every run. A new record of the start would count the agent's
 * changes as part of the start.
 */
export async function preparedBefore(
  context: Uses<"git" | "locks" | "paths">,
  world: RunWorld,
): Promise<Step | null> {
  const { run, attempt, repository } = world;
  const launch = await readLaunch(context.paths.run(run.id));
  const start = launch === null ? null : await readStart(context, run.id);
  if (start === null) return null;
  const { worktree: path, branch } = attempt;
  const place = await context.locks.shared(repository.commonDir, () =>
    inspectWorktree(context.git, repositoryTarget(repository), { path, branch }),
  );
  if (place.isErr()) return gitFailed("worktree", place.error);
  const whole = wholeWorktree(place.value, branch);
  if (whole === null)
    return failed(
      "worktree_lost",
      "This run had gone further than the database knows, and its worktree is gone. Was an older copy of the database put in place? Its commits are on its branch, in its snapshots or on the remote.",
    );
  const base = attempt.base.sha === null ? { ...attempt.base, sha: start.sha } : attempt.base;
  return {
    event: "start_agent",
    run: { startSha: start.sha },
    attempt: { gitDir: whole.gitDir, base },
  };
}
