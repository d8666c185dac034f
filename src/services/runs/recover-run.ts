/** Recovers a run that an earlier engine may have left in the middle: gathers facts, lets the domain decide, acts. */
import { decideRecovery } from "../../domain/run/recovery.ts";
import { waitsInProcess } from "../../domain/run/waiting.ts";
import { readKeeperState, stopOrphanedAgent } from "../../keeper/control.ts";
import { runMarker } from "../../keeper/files.ts";
import { findMarked, stopMarked } from "../../utils/programs/process-identity.ts";
import type { Uses } from "../core/context-parts.ts";
import { gitWorks } from "../core/wait-for-git.ts";
import { keeperKilled, type RunWorld, type Step } from "../run-core/step.ts";
import { clearStaleLocks } from "../worktrees/clear-stale-locks.ts";

/**
 * The step that the crash requires; null if the run's ordinary next step goes on. Those steps find half-made worktrees,
 * existing commits and pushes that arrived, each time they are taken.
 */
export async function recoverRun(context: Uses<"paths" | "timing">, world: RunWorld): Promise<Step | null> {
  if (world.run.phase === "queued") return null;
  if (world.run.phase !== "agent" && !waitsInProcess(world.run)) return clearTheWay(context, world);
  const state = await readKeeperState(context.paths.run(world.run.id));
  const decision = decideRecovery(world.run, {
    of: "agent",
    exitFile: state.exit !== null,
    keeperAlive:
      state.alive || (state.keeper === null && (await findMarked(runMarker(world.run.id))).length > 0),
    keeperStarted: state.keeper !== null,
  });
  if (decision.action !== "interrupt") return null;
  const { graceMs } = context.timing;
  await stopOrphanedAgent(context.paths.run(world.run.id), { run: world.run.id, graceMs });
  if (world.run.stopRequest !== null) return { event: "cancel" };
  return keeperKilled();
}

/** Without an agent no process of a run may work. A setup command or check of an earlier engine starts again. */
async function clearTheWay(context: Uses<"paths" | "timing">, world: RunWorld): Promise<null> {
  await stopMarked(runMarker(world.run.id), { graceMs: context.timing.graceMs });
  const { gitDir } = world.attempt;
  if (gitDir === null || (await gitWorks(context.paths.root, gitDir))) return null;
  await clearStaleLocks(world);
  return null;
}
