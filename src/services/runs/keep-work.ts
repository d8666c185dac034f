/** Keeps what an agent had edited when its turn ended badly, and proves that it moved nothing that is not its own. */
import { lstat } from "node:fs/promises";
import { keepRunTree } from "../../git/run-trees.ts";
import type { ServiceContext } from "../context.ts";
import { withholdSettings } from "../worktrees/check-git-files.ts";
import { keepSnapshot } from "../worktrees/keep-snapshot.ts";
import { worktreeTarget } from "../worktrees/targets.ts";
import { proveRun } from "./prove-run.ts";
import type { RunWorld, Step } from "./step.ts";

/**
 * The same step, with notes of what was taken back. Nothing for turns that ended well: they are proved and staged next. A
 * worktree that is gone holds nothing to keep.
 */
export async function endBrokenTurn(context: ServiceContext, world: RunWorld, step: Step): Promise<Step> {
  const broken = step.event === "fail" || step.event === "cancel";
  if (!broken || world.run.status !== "RUNNING" || world.attempt.gitDir === null) return step;
  if ((await lstat(world.attempt.worktree).catch(() => null)) === null) {
    const settings = (await withholdSettings(context, world)).unwrapOr(null);
    return settings === null ? step : { ...step, notes: [...(step.notes ?? []), settings] };
  }
  await keepWork(context, world);
  // Without this the agent's own commits would be where the next run begins, and would be pushed past the gate.
  const proof = await proveRun(context, world);
  if (proof.failure !== undefined)
    context.reportFault(`proving the broken turn of run ${world.run.id}`, new Error(proof.failure.message));
  return { ...step, notes: [...(step.notes ?? []), ...(proof.notes ?? [])] };
}

async function keepWork(context: ServiceContext, world: RunWorld): Promise<void> {
  const target = worktreeTarget(world.attempt);
  const snapshot = await keepSnapshot(context, {
    attemptId: world.attempt.id,
    runId: world.run.id,
    target,
    reason: "turn_ended_badly",
  });
  if (snapshot.isErr()) {
    context.reportFault(`keeping the work of run ${world.run.id}`, new Error(snapshot.error.message));
    return;
  }
  const kept = await keepRunTree(context.git, target, {
    run: world.run.id,
    side: "after",
    tree: snapshot.value.tree,
  });
  if (kept.isErr())
    context.reportFault(`keeping the tree of run ${world.run.id}`, new Error(kept.error.message));
}
