/** Looks at a run that an earlier engine may have left in the middle: gathers facts, lets the domain decide, acts. */
import { decideRecovery } from "../../domain/run/recovery.ts";
import { readKeeperState, stopOrphanedAgent } from "../../keeper/control.ts";
import { findMarked, type ProcessMarker, stopMarked } from "../../utils/process-identity.ts";
import type { ServiceContext } from "../context.ts";
import { gitWorks } from "../wait-for-git.ts";
import { clearStaleLocks } from "../worktrees/clear-stale-locks.ts";
import { failed, type RunWorld, type Step } from "./step.ts";

/**
 * The step that the crash itself calls for; null where the run's ordinary next step goes on by itself. Worktrees that
 * were half made, commits that were made and pushes that arrived are found by those steps, each time they are taken.
 */
export async function recoverRun(context: ServiceContext, world: RunWorld): Promise<Step | null> {
  if (world.run.phase === "queued") return null;
  if (world.run.phase !== "agent") return clearTheWay(context, world);
  const state = await readKeeperState(context.paths.run(world.run.id));
  const marker = markerOf(world);
  const decision = decideRecovery(world.run, {
    of: "agent",
    exitFile: state.exit !== null,
    keeperAlive: state.alive || (state.keeper === null && (await findMarked(marker)).length > 0),
    keeperStarted: state.keeper !== null,
  });
  if (decision.action !== "interrupt") return null;
  const { graceMs } = context.timing;
  await stopOrphanedAgent(context.paths.run(world.run.id), { run: world.run.id, graceMs });
  if (world.run.stopRequest !== null) return { event: "cancel" };
  return failed(
    "interrupted",
    "The agent's keeper was killed; what was left of the agent was stopped, its edits are kept.",
  );
}

function markerOf({ run }: RunWorld): ProcessMarker {
  return { name: "TAZUNA_RUN", value: run.id };
}

/** Without an agent nothing of a run may be at work: a setup command or a check of an earlier engine is begun again. */
async function clearTheWay(context: ServiceContext, world: RunWorld): Promise<null> {
  await stopMarked(markerOf(world), { graceMs: context.timing.graceMs });
  const { gitDir } = world.attempt;
  if (gitDir === null || (await gitWorks(context.paths.root, gitDir))) return null;
  await clearStaleLocks(world);
  return null;
}
