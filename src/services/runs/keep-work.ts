/** Keeps an agent's edits when its turn ended badly, and proves that it moved no reference but its own. */
import { keepRunTree } from "../../git/refs/run-trees.ts";
import { isThere } from "../../utils/files/is-there.ts";
import { withholdSettings } from "../confinement/check-git-files.ts";
import type { ServiceContext } from "../core/context.ts";
import type { GitContext } from "../core/context-parts.ts";
import { keepSnapshot } from "../run-core/keep-snapshot.ts";
import { type RunWorld, type Step, withNotes } from "../run-core/step.ts";
import { worktreeTarget } from "../run-core/targets.ts";
import { mendedNotes, mendWorktree } from "../worktrees/mend-worktree.ts";
import { proveRun } from "./prove/prove-run.ts";

/**
 * The same step, with notes of what was taken back. Does nothing for turns that ended well: they are proved and staged
 * next. A worktree that is gone holds nothing to keep.
 */
export async function endBrokenTurn(
  context: GitContext & Pick<ServiceContext, "paths">,
  world: RunWorld,
  step: Step,
): Promise<Step> {
  const broken = step.event === "fail" || step.event === "cancel";
  if (!broken || world.run.status !== "RUNNING" || world.attempt.gitDir === null) return step;
  if (!(await isThere(world.attempt.worktree))) {
    const settings = (await withholdSettings(context, world)).unwrapOr(null);
    return settings === null ? step : withNotes(step, [settings]);
  }
  const mended = mendedNotes((await mendWorktree(context, world)).unwrapOr([]));
  const left = await keepWork(context, world);
  // Without this the next run would begin at the agent's own commits, and they would be pushed past the gate.
  const proof = await proveRun(context, world);
  if (proof.failure !== undefined)
    context.reportFault(`proving the broken turn of run ${world.run.id}`, new Error(proof.failure.message));
  const told = withNotes(step, [...mended, ...(proof.notes ?? [])]);
  return left === null ? told : { ...told, left };
}

/** The tree of the worktree's files; null if they could not be kept. */
async function keepWork(context: GitContext, world: RunWorld): Promise<string | null> {
  const target = worktreeTarget(world.attempt);
  const snapshot = await keepSnapshot(context, world, { reason: "turn_ended_badly" });
  if (snapshot.isErr()) {
    context.reportFault(`keeping the work of run ${world.run.id}`, new Error(snapshot.error.message));
    return null;
  }
  const kept = await keepRunTree(context.git, target, {
    run: world.run.id,
    side: "after",
    tree: snapshot.value.tree,
  });
  if (kept.isOk()) return snapshot.value.tree;
  context.reportFault(`keeping the tree of run ${world.run.id}`, new Error(kept.error.message));
  return null;
}
