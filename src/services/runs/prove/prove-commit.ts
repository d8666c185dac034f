/** Proves that a commit holds what the gate read and follows the run's start; if not, takes it back. */
import { err, ok, type Result } from "neverthrow";
import { resetMixed } from "../../../git/index/whole-index.ts";
import type { GitTarget } from "../../../git/runner/run-git.ts";
import { beginMergeAgain } from "../../../git/worktree/merge-state.ts";
import { putBranchBack } from "../../branches/put-branch-back.ts";
import type { GitContext, Uses } from "../../core/context-parts.ts";
import { gitFailed } from "../../run-core/git-failure.ts";
import { readStart } from "../../run-core/record-start.ts";
import { failed, type RunWorld, type Step } from "../../run-core/step.ts";
import { gateRejected } from "../../run-core/tell-findings.ts";

interface Commit {
  readonly tree: string;
  readonly parents: readonly string[];
}

/**
 * Without a sandbox, the agent's code can write git while checks run. An undetected process of the agent can do so at
 * any time.
 */
export async function proveCommit(
  context: GitContext & Uses<"paths">,
  world: RunWorld,
  { target, made }: { readonly target: GitTarget; readonly made: Commit },
): Promise<Result<void, Step>> {
  const start = await readStart(context, world.run.id);
  if (start === null) return err(failed("worktree_lost", "What the run began from is not known any more."));
  const parents = [start.sha, ...(start.merging === null ? [] : [start.merging])];
  if (made.tree === world.run.tree && made.parents.join() === parents.join()) return ok(undefined);
  const back = await putBranchBack(context, world, start);
  if (back.isErr()) return err(back.error);
  const reset = await resetMixed(context.git, target);
  if (reset.isErr()) return err(gitFailed("commit", reset.error));
  // The reset ends a merge, and this one is not concluded.
  if (start.merging !== null) await beginMergeAgain(target, start.merging);
  return err(changedMeanwhile(world, back.value === null ? [] : [back.value]));
}

/** The step that ends the run: nothing was published, and no person can allow content that was not read. */
export function changedMeanwhile(world: RunWorld, notes: NonNullable<Step["notes"]> = []): Step {
  const message =
    "What was to be published changed after the gate had read it; it was taken back, every file is kept";
  const findings = [{ rule: "changed_meanwhile", path: ".", message, final: true }];
  return gateRejected(world, { findings, notes });
}
