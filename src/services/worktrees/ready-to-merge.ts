/** Makes sure that a merge may begin in a worktree: nothing else goes on there, and what is not committed is kept first. */
import { err, ok, type Result } from "neverthrow";
import { operationInProgress } from "../../git/merge-state.ts";
import { listUnstaged } from "../../git/unstaged.ts";
import type { ServiceContext } from "../context.ts";
import { gitFailed } from "../runs/git-failure.ts";
import type { RunWorld, Step } from "../runs/step.ts";
import { keepSnapshot } from "./keep-snapshot.ts";
import { worktreeTarget } from "./targets.ts";

/**
 * Null where it may begin, else what a person began there and has not concluded, such as `merge`: taking a merge of
 * ours back would take theirs back too, with every conflict they have resolved.
 */
export async function readyToMerge(
  context: ServiceContext,
  world: RunWorld,
): Promise<Result<string | null, Step>> {
  const target = worktreeTarget(world.attempt);
  const operation = await operationInProgress(context.git, target);
  if (operation.isErr()) return err(gitFailed("worktree", operation.error));
  if (operation.value !== null) return ok(operation.value.name);
  const left = await listUnstaged(context.git, target);
  if (left.isErr()) return err(gitFailed("worktree", left.error));
  if (left.value.length === 0) return ok(null);
  const kept = await keepSnapshot(context, {
    attemptId: world.attempt.id,
    runId: world.run.id,
    target,
    reason: "before_merge",
  });
  return kept.isErr() ? err(gitFailed("worktree", kept.error)) : ok(null);
}
