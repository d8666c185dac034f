/** Finishes a step before it is stored: stops what is left of a turn, keeps its edits, and tidies up at the run's end. */
import { join } from "node:path";
import type { RunEvent } from "../../domain/run/state.ts";
import { keepRunTree } from "../../git/refs/run-trees.ts";
import { runMarker } from "../../keeper/files.ts";
import { removeTemporaries } from "../../utils/files/atomic-write.ts";
import { isThere } from "../../utils/files/is-there.ts";
import { stopMarked } from "../../utils/programs/process-identity.ts";
import { withholdSettings } from "../confinement/check-git-files.ts";
import { refusedHosts } from "../confinement/listed-network.ts";
import { EngineStopping } from "../core/context.ts";
import type { GitContext, Uses } from "../core/context-parts.ts";
import { keepSnapshot } from "../run-core/keep-snapshot.ts";
import { type RunWorld, type Step, withNotes } from "../run-core/step.ts";
import { worktreeTarget } from "../run-core/targets.ts";
import { clearStaleLocks } from "../worktrees/clear-stale-locks.ts";
import { mendedNotes, mendWorktree } from "../worktrees/mend-worktree.ts";
import { recordWorktree } from "../worktrees/record-worktree.ts";
import { proveRun } from "./prove/prove-run.ts";
import { proveReview } from "./review/prove-review.ts";
import { discardRunCaches } from "./run-caches.ts";

const ENDING: ReadonlySet<RunEvent> = new Set(["fail", "cancel", "finish", "nothing_changed"]);

/** The step as it is to be stored. `unstopped` is the same context without the signal of a person's stop. */
export async function finishStep(
  context: GitContext & Uses<"paths" | "timing" | "fence">,
  unstopped: GitContext & Uses<"locks" | "paths">,
  world: RunWorld,
  step: Step,
): Promise<Step> {
  if (step.event === "fail" || step.event === "cancel") await stopTurn(context, world);
  const ended = await keepBrokenTurn(context, world, step);
  // A person's stop has ended every git call under its signal.
  if (ENDING.has(step.event)) await sweep(unstopped, world);
  return withNotes(ended, await refusedHosts(context, world));
}

/**
 * A turn can end without its agent: after a fault of ours, or if the configuration lacks the agent now. Another
 * worker may have the run by now. It may work on this machine, and the processes may be its own.
 */
async function stopTurn(context: Uses<"timing" | "fence">, { run }: RunWorld): Promise<void> {
  if (run.phase !== "agent") return;
  if (context.fence.isOver(run.id)) throw new EngineStopping();
  await stopMarked(runMarker(run.id), { graceMs: context.timing.graceMs });
}

/**
 * The same step, with notes of what was taken back. Does nothing for turns that ended well: they are proved and staged
 * next. A worktree that is gone holds nothing to keep.
 */
async function keepBrokenTurn(
  context: GitContext & Uses<"paths">,
  world: RunWorld,
  step: Step,
): Promise<Step> {
  const broken = step.event === "fail" || step.event === "cancel";
  if (!broken || world.run.status !== "RUNNING" || world.attempt.gitDir === null) return step;
  if (!(await isThere(world.attempt.worktree))) {
    const settings = (await withholdSettings(context, world)).unwrapOr(null);
    return settings === null ? step : withNotes(step, [settings]);
  }
  if (world.run.kind === "review") return withNotes(step, (await proveReview(context, world)).notes ?? []);
  const mended = mendedNotes((await mendWorktree(context, world)).unwrapOr([]));
  const left = await keepWork(context, world);
  // Without this the next run would begin at the agent's own commits, and they would be pushed past the gate.
  const proof = await proveRun(context, world);
  if (proof.failure !== undefined)
    context.reportFault(`proving the broken turn of run ${world.run.id}`, new Error(proof.failure.message));
  const noted = withNotes(step, [...mended, ...(proof.notes ?? [])]);
  return left === null ? noted : { ...noted, left };
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

/** Nothing writes into the run's folders and references any more; removes what killed writers left there. */
async function sweep(
  context: Uses<"db" | "git" | "locks" | "paths" | "newId" | "owner" | "reportFault">,
  world: RunWorld,
): Promise<void> {
  const { run, attempt } = world;
  await clearStaleLocks(world);
  // If git was killed, the worktree may exist, and the run ended before it looked.
  if (attempt.gitDir === null)
    await recordWorktree(context, attempt.id).catch((error) =>
      context.reportFault(`whether attempt ${attempt.id} has a worktree`, error),
    );
  const dir = context.paths.run(run.id);
  for (const folder of [dir, join(dir, "agent"), context.paths.attempt(attempt.id)])
    await removeTemporaries(folder);
  await discardRunCaches(context, world);
}
