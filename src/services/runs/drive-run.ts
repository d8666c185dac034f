/** Drives one run from where it stands to its end, one step after another; the only place that moves a run's state. */
import { join } from "node:path";
import { failure } from "../../domain/run/failure.ts";
import { isEnded, type RunEvent, type RunState } from "../../domain/run/state.ts";
import { withSignal } from "../../git/run-git.ts";
import { getRun } from "../../storage/runs.ts";
import { StorageFailure, storageErrorOf } from "../../storage/storage-error.ts";
import { removeTemporaries } from "../../utils/atomic-write.ts";
import { stopMarked } from "../../utils/process-identity.ts";
import { keepCleaning } from "../attempts/keep-cleaning.ts";
import { heldTo } from "../configuration/git-limit.ts";
import { refusedHosts } from "../confinement/refused-hosts.ts";
import type { ServiceContext } from "../context.ts";
import { EngineLeaving } from "../engine-leaving.ts";
import { clearStaleLocks } from "../worktrees/clear-stale-locks.ts";
import { recordWorktree } from "../worktrees/record-worktree.ts";
import { checkRun } from "./check-run.ts";
import { commitRun } from "./commit-run.ts";
import { executeRun } from "./execute-run.ts";
import { keepLease } from "./keep-lease.ts";
import { endBrokenTurn } from "./keep-work.ts";
import { loadWorld } from "./load-world.ts";
import { moveByStep } from "./move-run.ts";
import { discardStores } from "./own-stores.ts";
import { prepareRun } from "./prepare-run.ts";
import { proveRun } from "./prove-run.ts";
import { publishRun } from "./publish-run.ts";
import { recoverRun } from "./recover-run.ts";
import { stageRun } from "./stage-run.ts";
import { dismissKeeper } from "./standby-keeper.ts";
import type { RunWorld, Step } from "./step.ts";
import { trueCause } from "./true-cause.ts";

/**
 * Takes the run's lease and works on it until it ends, waits for its provider, or belongs to someone else.
 * Every step may be repeated: after a crash the same function is called again.
 */
export async function driveRun(context: ServiceContext, runId: string): Promise<void> {
  const stop = new AbortController();
  context.driving.set(runId, stop);
  try {
    await driveUnderLease(context, runId, stop.signal);
  } finally {
    dismissKeeper(context, runId);
    // Whatever was thrown (the database may be away, for the lease too): a run that nobody drives can be begun again.
    if (context.driving.get(runId) === stop) context.driving.delete(runId);
  }
  await cleanUpAfter(context, runId);
}

async function driveUnderLease(context: ServiceContext, runId: string, signal: AbortSignal): Promise<void> {
  const lease = await keepLease(context, runId);
  if (lease === null) return;
  try {
    await drive(context, { runId, epoch: lease.epoch, signal });
  } finally {
    await lease.release();
  }
}

/** An attempt that was cancelled while its run worked is cleaned up once the run has ended. */
async function cleanUpAfter(context: ServiceContext, runId: string): Promise<void> {
  const run = await getRun(context.db.reader, runId);
  if (run !== null && isEnded(run.status)) await keepCleaning(context, run.attemptId);
}

async function drive(
  engine: ServiceContext,
  of: { readonly runId: string; readonly epoch: number; readonly signal: AbortSignal },
): Promise<void> {
  let resumed = true;
  for (;;) {
    const world = await loadWorld(engine, { ...of, resumed });
    if (world === null || isEnded(world.run.status) || engine.leaving.aborted) return;
    const held = heldTo(engine, world.configuration);
    const context = { ...held, git: withSignal(held.git, of.signal) };
    const step = (resumed ? await recoverRun(context, world) : null) ?? (await takeStep(context, world));
    if (step === "left") return;
    resumed = false;
    if (step.event === "fail" || step.event === "cancel") await endTurn(context, world);
    const ended = await endBrokenTurn(context, world, step);
    // Not under the signal, which has stopped every git where a person stopped the run.
    if (ENDING.has(step.event)) await sweep(held, world);
    const moved = await moveByStep(context, world, await withRefusedHosts(context, world, ended));
    if (moved !== "moved" || step.event === "wait") return;
  }
}

/** A turn can end without its agent: by a fault of ours, by a configuration that does not know it any more. */
async function endTurn(context: ServiceContext, { run }: RunWorld): Promise<void> {
  if (run.phase !== "agent") return;
  await stopMarked({ name: "TAZUNA_RUN", value: run.id }, { graceMs: context.timing.graceMs });
}

async function withRefusedHosts(context: ServiceContext, world: RunWorld, step: Step): Promise<Step> {
  const notes = await refusedHosts(context, world);
  return notes.length === 0 ? step : { ...step, notes: [...(step.notes ?? []), ...notes] };
}

const ENDING: ReadonlySet<RunEvent> = new Set(["fail", "cancel", "finish", "nothing_changed"]);

/** Nobody writes into the run's folders and references any more; what killed writers left there goes. */
async function sweep(context: ServiceContext, world: RunWorld): Promise<void> {
  const { run, attempt } = world;
  await clearStaleLocks(world);
  // A git that was killed may have made it all the same, and the run ended before it looked.
  if (attempt.gitDir === null)
    await recordWorktree(context, attempt.id).catch((error) =>
      context.reportFault(`whether attempt ${attempt.id} has a worktree`, error),
    );
  const dir = context.paths.run(run.id);
  for (const folder of [dir, join(dir, "agent"), context.paths.attempt(attempt.id)])
    await removeTemporaries(folder);
  await discardStores(context, world);
}

/** The next step, or `left` where the engine stops meanwhile; a fault of ours becomes a failure of the run, told in the engine's log. */
async function takeStep(context: ServiceContext, world: RunWorld): Promise<Step | "left"> {
  if (world.run.stopRequest !== null && endsAtOnce(world.run)) return { event: "cancel" };
  if (world.configurationFault !== null)
    return { event: "fail", failure: failure("setup_failed", unusable(world.configurationFault)) };
  try {
    return await trueCause(context, world, await stepFor(world.run)(context, world));
  } catch (error) {
    if (error instanceof EngineLeaving) return "left";
    // It could not be stored that the run failed, either: the step is taken again in a while.
    if (isOutOfReach(error, world.run)) throw error;
    if (isDiskFull(error)) return { event: "fail", failure: failure("disk_full", "The disk is full.") };
    context.reportFault(`run ${world.run.id} in ${world.run.status}/${world.run.phase ?? ""}`, error);
    const message = error instanceof Error ? error.message : String(error);
    return { event: "fail", failure: failure("internal", `Something unforeseen went wrong: ${message}`) };
  }
}

/**
 * Whether a run in this state ends as soon as a person wants it to. An agent that works is stopped by its own step; while
 * it pushes, only the remote knows whether a cancel came too late.
 */
function endsAtOnce({ status, phase }: RunState): boolean {
  return status === "PENDING" || status === "STAGING" || phase === "waiting";
}

/** Nothing may be guessed: not what is denied, not what is to be run. */
function unusable(fault: string): string {
  return `The configuration cannot be used: ${fault}`;
}

function stepFor(state: RunState): (context: ServiceContext, world: RunWorld) => Promise<Step> {
  switch (state.phase ?? state.status) {
    case "queued":
      return async () => ({ event: "prepare" });
    case "preparing":
      return prepareRun;
    case "waiting":
      return async () => ({ event: "resume", run: { resumeAt: null } });
    case "agent":
      return executeRun;
    case "proving":
      return proveRun;
    case "staging":
      return stageRun;
    case "checking":
      return checkRun;
    case "COMMITTING":
      return commitRun;
    case "PUSHING":
      return publishRun;
    default:
      throw new Error(`no step leads on from ${state.status}/${state.phase ?? ""}`);
  }
}

/**
 * The database is held by another program, or does not answer: nothing that a run did wrong. Nor is a database without room
 * a reason to stop an agent that works: its keeper holds it, and what it came to is stored once there is some.
 */
function isOutOfReach(error: unknown, { phase }: RunState): boolean {
  const code = storageErrorOf(error)?.code;
  if (!(error instanceof StorageFailure)) return false;
  return (
    code === "database_locked" ||
    code === "database_unreachable" ||
    (code === "disk_full" && phase === "agent")
  );
}

function isDiskFull(error: unknown): boolean {
  if (storageErrorOf(error)?.code === "disk_full") return true;
  return error instanceof Error && "code" in error && (error.code === "ENOSPC" || error.code === "EDQUOT");
}
