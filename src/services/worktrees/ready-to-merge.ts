/** Makes sure that a merge may begin in a worktree: no other operation goes on, and uncommitted changes are kept. */
import { err, ok, type Result } from "neverthrow";
import { listUnstaged } from "../../git/index/unstaged-files.ts";
import { operationInProgress } from "../../git/worktree/merge-state.ts";
import type { GitContext } from "../core/context-parts.ts";
import { gitFailed } from "../run-core/git-failure.ts";
import { keepSnapshot } from "../run-core/keep-snapshot.ts";
import type { RunWorld, Step } from "../run-core/step.ts";
import { worktreeTarget } from "../run-core/targets.ts";

/**
 * Null if it may begin. Else the operation that a person began there and has not concluded, such as `merge`. To take
 * back a merge of ours would take theirs back too, with every conflict that they have resolved.
 */
export async function readyToMerge(
  context: GitContext,
  world: RunWorld,
): Promise<Result<string | null, Step>> {
  const target = worktreeTarget(world.attempt);
  const operation = await operationInProgress(context.git, target);
  if (operation.isErr()) return err(gitFailed("worktree", operation.error));
  if (operation.value !== null) return ok(operation.value.name);
  const left = await listUnstaged(context.git, target);
  if (left.isErr()) return err(gitFailed("worktree", left.error));
  if (left.value.length === 0) return ok(null);
  const kept = await keepSnapshot(context, world, { reason: "before_merge" });
  return kept.isErr() ? err(gitFailed("worktree", kept.error)) : ok(null);
}
