/**
 * Drives one run from its current state to its end, step by step; only this file moves a run's state (seed 003
 * Services, Whole workflow, Orchestrator).
 */
import { join } from "node:path";
import type { ConfigurationError } from "../../domain/configuration/layers.ts";
import { failure } from "../../domain/run/failure.ts";
import type { RunNote } from "../../domain/run/run.ts";
import { isEnded, type RunEvent, type RunState } from "../../domain/run/state.ts";
import { withSignal } from "../../git/runner/git-variants.ts";
import { StorageFailure, storageErrorOf } from "../../storage/schema/storage-error.ts";
import { getRun } from "../../storage/tables/runs.ts";
import { removeTemporaries } from "../../utils/files/atomic-write.ts";
import { stopMarked } from "../../utils/programs/process-identity.ts";
import { withPatch } from "../attempts/attempt-patch.ts";
import { keepCleaning } from "../attempts/keep-cleaning.ts";
import { refusedHosts } from "../confinement/listed-network.ts";
import { EngineStopping, type ServiceContext } from "../core/context.ts";
import type { CleanUpContext, GitContext } from "../core/context-parts.ts";
import { withRepositoryGit } from "../core/repository-git.ts";
import { gitFailed } from "../run-core/git-failure.ts";
import { keepLease } from "../run-core/keep-lease.ts";
import { loadWorld } from "../run-core/load-world.ts";
import { noteLostShell } from "../run-core/lost-shell.ts";
import { moveByStep } from "../run-core/move-run.ts";
import { failed, type RunWorld, type Step } from "../run-core/step.ts";
import { clearStaleLocks } from "../worktrees/clear-stale-locks.ts";
import { mendedNotes, mendWorktree } from "../worktrees/mend-worktree.ts";
import { recordWorktree } from "../worktrees/record-worktree.ts";
import { trueCause } from "../worktrees/true-cause.ts";
import { executeRun } from "./agent/execute-run.ts";
import { dismissKeeper } from "./agent/standby-keeper.ts";
import { checkRun } from "./check/check-run.ts";
import { commitRun } from "./commit/commit-run.ts";
import { endBrokenTurn } from "./keep-work.ts";
import { prepareRun } from "./prepare/prepare-run.ts";
import { proveRun } from "./prove/prove-run.ts";
import { publishRun } from "./publish/publish-run.ts";
import { recoverRun } from "./recover-run.ts";
import { discardRunCaches } from "./run-caches.ts";
import { stageRun } from "./stage/stage-run.ts";

/**
 * Takes the run's lease and works on it until it ends, waits for its provider, or has another owner. Every step may be
 * repeated: after a crash the same function is called again.
 */
export async function driveRun(context: ServiceContext, runId: string): Promise<void> {
  const stop = new AbortController();
  context.drivers.set(runId, stop);
  try {
    await driveUnderLease(context, runId, stop.signal);
    context.diskFullRuns.delete(runId);
  } catch (error) {
    if (storageErrorOf(error)?.code === "disk_full") context.diskFullRuns.add(runId);
    throw error;
  } finally {
    dismissKeeper(context, runId);
    // For any error (the database may be away, for the lease too). A run without a driver can be begun again.
    if (context.drivers.get(runId) === stop) context.drivers.delete(runId);
  }
  await cleanUpAfter(context, runId);
}

async function driveUnderLease(context: ServiceContext, runId: string, signal: AbortSignal): Promise<void> {
  const lease = await keepLease(context, runId);
  if (lease === null) return;
  try {
    await drive(context.shells.contextOfRun(context, runId), { runId, epoch: lease.epoch, signal });
  } finally {
    await lease.release();
  }
}

/** If an attempt was cancelled while its run worked, it is cleaned up once the run has ended. */
async function cleanUpAfter(context: CleanUpContext, runId: string): Promise<void> {
  const run = await getRun(context.db.reader, runId);
  if (run !== null && isEnded(run.status)) await keepCleaning(context, run.attemptId);
}

async function drive(
  engine: ServiceContext,
  driven: { readonly runId: string; readonly epoch: number; readonly signal: AbortSignal },
): Promise<void> {
  let resumed = true;
  for (;;) {
    const world = await loadWorld(engine, { ...driven, resumed });
    if (world === null || isEnded(world.run.status) || engine.engineStop.aborted) return;
    if (await noteLostShell(engine, world)) continue;
    const held = withRepositoryGit(engine, world);
    const context = { ...held, git: withSignal(held.git, driven.signal) };
    const step = (resumed ? await recoverRun(context, world) : null) ?? (await takeStep(context, world));
    if (step === "left") return;
    resumed = false;
    if (step.event === "fail" || step.event === "cancel") await endTurn(context, world);
    const ended = await endBrokenTurn(context, world, step);
    // Without the signal: a person's stop has ended every git call under it.
    if (ENDING.has(step.event)) await sweep(held, world);
    const noted = await withRefusedHosts(context, world, ended);
    // Also without the signal: what a stopped turn left is counted too.
    const moved = await moveByStep(context, world, await withPatch(held, world, noted));
    engine.diskFullRuns.delete(driven.runId);
    if (moved !== "moved" || step.event === "wait") return;
  }
}

/** A turn can end without its agent: after a fault of ours, or if the configuration lacks the agent now. */
async function endTurn(context: Pick<ServiceContext, "timing">, { run }: RunWorld): Promise<void> {
  if (run.phase !== "agent") return;
  await stopMarked({ name: "TAZUNA_RUN", value: run.id }, { graceMs: context.timing.graceMs });
}

async function withRefusedHosts(
  context: Pick<ServiceContext, "paths">,
  world: RunWorld,
  step: Step,
): Promise<Step> {
  const notes = await refusedHosts(context, world);
  return notes.length === 0 ? step : { ...step, notes: [...(step.notes ?? []), ...notes] };
}

const ENDING: ReadonlySet<RunEvent> = new Set(["fail", "cancel", "finish", "nothing_changed"]);

/** Nothing writes into the run's folders and references any more; removes what killed writers left there. */
async function sweep(
  context: Pick<ServiceContext, "db" | "git" | "locks" | "paths" | "newId" | "reportFault">,
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

/**
 * The next step, or `left` if the engine stops meanwhile. A fault of ours becomes a failure of the run, and is written
 * to the engine's log.
 */
async function takeStep(context: ServiceContext, world: RunWorld): Promise<Step | "left"> {
  if (world.run.stopRequest !== null && endsAtOnce(world.run)) return { event: "cancel" };
  if (world.configurationFault !== null)
    return failed("setup_failed", unusable(world.configurationFault), {
      details: { cause: "configuration", source: world.configurationFault.source },
    });
  try {
    const mended = await mendStaged(context, world);
    if ("event" in mended) return mended;
    const step = await trueCause(context, world, await stepFor(world.run)(context, world));
    return mended.notes.length === 0 ? step : { ...step, notes: [...mended.notes, ...(step.notes ?? [])] };
  } catch (error) {
    if (error instanceof EngineStopping) return "left";
    // The failure could not be stored either: the step is taken again later.
    if (isOutOfReach(error, world.run)) throw error;
    if (isDiskFull(error)) return { event: "fail", failure: failure("disk_full", "The disk is full.") };
    context.reportFault(`run ${world.run.id} in ${world.run.status}/${world.run.phase ?? ""}`, error);
    const message = error instanceof Error ? error.message : String(error);
    return { event: "fail", failure: failure("internal", `Something unforeseen went wrong: ${message}`) };
  }
}

/** A check or a hook can also damage a worktree between its proof and its commit. What was staged is staged again. */
async function mendStaged(
  context: GitContext & Pick<ServiceContext, "paths">,
  world: RunWorld,
): Promise<{ readonly notes: readonly RunNote[] } | Step> {
  const { status, phase, tree } = world.run;
  const staged = phase === "checking" || status === "COMMITTING";
  if (!staged && phase !== "staging") return { notes: [] };
  const mended = await mendWorktree(context, { ...world, tree: staged ? tree : null });
  if (mended.isErr()) return gitFailed("stage", mended.error);
  return { notes: mendedNotes(mended.value) };
}

/**
 * Whether a run in this state ends as soon as a person asks for it. A working agent is stopped by its own step. During
 * a push, only the remote knows whether a cancel came too late.
 */
function endsAtOnce({ status, phase }: RunState): boolean {
  return status === "PENDING" || status === "STAGING" || phase === "waiting";
}

/** Nothing may be guessed: neither what is denied nor what is to be run. */
function unusable({ source, message }: ConfigurationError): string {
  return `The configuration cannot be used: ${source}: ${message}`;
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
 * Another program holds the database, or it does not answer: the run did nothing wrong. A full disk is also no reason
 * to stop a working agent. Its keeper holds it, and its result is stored once there is room.
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
