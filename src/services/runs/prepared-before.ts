/** Goes on from where a run had begun already where the database does not know of it: an older copy was put back. */
import { inspectWorktree } from "../../git/worktree-list.ts";
import type { ServiceContext } from "../context.ts";
import { wholeWorktree } from "../worktrees/make-worktree.ts";
import { repositoryTarget } from "../worktrees/targets.ts";
import { gitFailed } from "./git-failure.ts";
import { readLaunch } from "./launch.ts";
import { readStart } from "./record-start.ts";
import { failed, type RunWorld, type Step } from "./step.ts";

/**
 * Null where its agent was never started, which is all but such a run. To record the start anew would take what it made
 * since for what it began from.
 */
export async function preparedBefore(context: ServiceContext, world: RunWorld): Promise<Step | null> {
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
      "This run had been driven further than the database knows, and its worktree is gone; was an older copy of the database put in place? Its commits are on its branch, in its snapshots or on the remote.",
    );
  const base = attempt.base.sha === null ? { ...attempt.base, sha: start.sha } : attempt.base;
  return {
    event: "start_agent",
    run: { startSha: start.sha },
    attempt: { gitDir: whole.gitDir, base },
  };
}
