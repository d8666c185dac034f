/** Proves that a commit holds what the gate read and follows what the run began from; takes it back where it does not. */
import { err, ok, type Result } from "neverthrow";
import { resetMixed } from "../../git/reset-mixed.ts";
import type { GitTarget } from "../../git/run-git.ts";
import type { ServiceContext } from "../context.ts";
import { gitFailed } from "./git-failure.ts";
import { putBranchBack } from "./put-branch-back.ts";
import { readStart } from "./record-start.ts";
import { failed, type RunWorld, type Step } from "./step.ts";
import { gateRejected } from "./tell-findings.ts";

interface Commit {
  readonly tree: string;
  readonly parents: readonly string[];
}

/** Without a sandbox the code that an agent wrote can write git while checks run, and processes of its that nobody found at any time. */
export async function proveCommit(
  context: ServiceContext,
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
  return err(changedMeanwhile(world, back.value === null ? [] : [back.value]));
}

/** The step that ends the run: nothing was published, and no person can allow what nobody has read. */
export function changedMeanwhile(world: RunWorld, notes: NonNullable<Step["notes"]> = []): Step {
  const message =
    "What was to be published changed in git after the gate had read it; it was taken back, every file is kept";
  const findings = [{ rule: "changed_meanwhile", path: ".", message, final: true }];
  return gateRejected(world, { findings, notes });
}
