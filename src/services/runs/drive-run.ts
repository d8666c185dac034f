/**
 * Drives one run from its current state to its end, step by step; only this file moves a run's state (seed 003
 * Services, Whole workflow, Orchestrator).
 */
import { ok, type Result } from "neverthrow";
import type { ConfigurationError } from "../../domain/configuration/layers.ts";
import type { RunNote } from "../../domain/run/run.ts";
import { isEnded } from "../../domain/run/state.ts";
import { waitsInProcess } from "../../domain/run/waiting.ts";
import { withCheckBefore, withSignal } from "../../git/runner/git-variants.ts";
import { storageErrorOf } from "../../storage/schema/storage-error.ts";
import { getRun } from "../../storage/tables/runs.ts";
import { withPatch } from "../attempts/attempt-patch.ts";
import { keepCleaning } from "../attempts/keep-cleaning.ts";
import { EngineStopping, type ServiceContext } from "../core/context.ts";
import type { CleanUpContext, GitContext, Uses } from "../core/context-parts.ts";
import { holderOf } from "../core/held-elsewhere.ts";
import { withRepositoryGit } from "../core/repository-git.ts";
import { gitFailedAt } from "../run-core/git-failure.ts";
import { keepLease, type WantedSlot } from "../run-core/keep-lease.ts";
import { loadWorld } from "../run-core/load-world.ts";
import { noteLostShell } from "../run-core/lost-shell.ts";
import { moveByStep } from "../run-core/move-run.ts";
import { failed, type RunWorld, type Step } from "../run-core/step.ts";
import { mendedNotes, mendWorktree } from "../worktrees/mend-worktree.ts";
import { trueCause } from "../worktrees/true-cause.ts";
import { awaitAnswer, executeRun } from "./agent/execute-run.ts";
import { dismissKeeper } from "./agent/standby-keeper.ts";
import { checkRun } from "./check/check-run.ts";
import { cloneForRun } from "./clone-for-run.ts";
import { commitRun } from "./commit/commit-run.ts";
import { finishStep } from "./finish-step.ts";
import { prepareRun } from "./prepare/prepare-run.ts";
import { proveRun } from "./prove/prove-run.ts";
import { publishRun } from "./publish/publish-run.ts";
import { recoverRun } from "./recover-run.ts";
import { concludeReview } from "./review/conclude-review.ts";
import { proveReview } from "./review/prove-review.ts";
import { stageRun } from "./stage/stage-run.ts";
import { stepOfFault } from "./step-of-fault.ts";

/**
 * Takes the run's lease and works on it until it ends, waits for its provider, or has another owner. A run that a
 * person put behind another one meanwhile is left in the queue. Every step may be repeated: after a crash the same
 * function is called again.
 */
export async function driveRun(context: ServiceContext, runId: string, slot: WantedSlot): Promise<void> {
  const stop = new AbortController();
  context.drivers.set(runId, stop);
  try {
    await driveUnderLease(context, { runId, slot, signal: stop.signal });
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

async function driveUnderLease(
  context: ServiceContext,
  {
    runId,
    slot,
    signal,
  }: { readonly runId: string; readonly slot: WantedSlot; readonly signal: AbortSignal },
): Promise<void> {
  const lease = await keepLease(context, runId, { inTurn: true, slot });
  if (lease === null) return;
  // Who lost its lease leaves the run as an engine does that stops.
  const engineStop = AbortSignal.any([context.engineStop, lease.lost]);
  try {
    const own = context.shells.contextOfRun(context, runId);
    const held = { ...own, engineStop, git: withCheckBefore(own.git, lease.check) };
    await drive(held, { runId, epoch: lease.epoch, signal, lost: lease.lost });
  } catch (error) {
    // Between two steps too: the next driver goes on from the stored state.
    if (!(error instanceof EngineStopping)) throw error;
  } finally {
    await lease.release();
  }
}

/** An attempt that was cancelled while its run worked is cleaned up after the run. */
async function cleanUpAfter(
  context: CleanUpContext & Uses<"dispatcher" | "lackingClones">,
  runId: string,
): Promise<void> {
  const run = await getRun(context.db.reader, runId);
  if (run?.startedAt != null) context.ownDepot.nudge(run.attemptId);
  if (run === null || !isEnded(run.status)) return;
  // A clean-up may wait long for a push of another run. Meanwhile the next run may have the slot.
  context.dispatcher().releaseSlot(runId);
  context.lackingClones.delete(runId);
  await keepCleaning(context, run.attemptId);
}

async function drive(
  engine: ServiceContext,
  driven: {
    readonly runId: string;
    readonly epoch: number;
    readonly signal: AbortSignal;
    readonly lost: AbortSignal;
  },
): Promise<void> {
  const overTheNetwork = AbortSignal.any([driven.signal, driven.lost]);
  let resumed = true;
  for (;;) {
    const world = await loadWorld(engine, { ...driven, resumed });
    if (world === null || isEnded(world.run.status) || engine.engineStop.aborted) return;
    if (await cancelElsewhere(engine, world)) return;
    if (await noteLostShell(engine, world)) continue;
    const held = withRepositoryGit(engine, world);
    const context = { ...held, git: withSignal(held.git, overTheNetwork) };
    const step = (resumed ? await recoverRun(context, world) : null) ?? (await takeStep(context, world));
    if (step === "left") return;
    resumed = false;
    if (step === "again") continue;
    const finished = await finishStep(context, held, world, step);
    // Without the signal: what a stopped turn left is counted too.
    const moved = await moveByStep(context, world, await withPatch(held, world, finished));
    engine.diskFullRuns.delete(driven.runId);
    if (moved !== "moved" || step.event === "wait") return;
  }
}

/** Ends a cancelled run whose files another data folder holds. That one stops what works there, and cleans up. */
async function cancelElsewhere(context: ServiceContext, world: RunWorld): Promise<boolean> {
  if (world.run.stopRequest !== "cancel") return false;
  if ((await holderOf(context, world.attempt.id)) === null) return false;
  await moveByStep(context, world, { event: "cancel" });
  return true;
}

/** `left`: the engine stops, or a person is waited for. `again`: the state has to be read again. */
type Unmoved = "left" | "again";

async function takeStep(context: ServiceContext, world: RunWorld): Promise<Step | Unmoved> {
  if (world.run.stopRequest !== null && endsAtOnce(world.run)) return { event: "cancel" };
  if (world.configurationFault !== null) return unusable(world.configurationFault);
  try {
    const mended = await mendStaged(context, world);
    if (mended.isErr()) return mended.error;
    const taken = await stepFor(world.run)(context, world);
    if (typeof taken === "string") return taken;
    const step = await trueCause(context, world, taken);
    return mended.value.length === 0 ? step : { ...step, notes: [...mended.value, ...(step.notes ?? [])] };
  } catch (error) {
    return stepOfFault(context, world, error);
  }
}

/** A check or a hook can also damage a worktree between its proof and its commit. What was staged is staged again. */
async function mendStaged(
  context: GitContext & Uses<"paths">,
  world: RunWorld,
): Promise<Result<readonly RunNote[], Step>> {
  const { status, phase, tree } = world.run;
  const staged = phase === "checking" || status === "COMMITTING";
  if (!staged && phase !== "staging") return ok([]);
  const mended = await mendWorktree(context, { ...world, tree: staged ? tree : null });
  return mended.map(mendedNotes).mapErr(gitFailedAt("stage"));
}

/**
 * Whether a run in this state ends as soon as a person asks for it. A working agent is stopped by its own step. During
 * a push, only the remote knows whether a cancel came too late.
 */
function endsAtOnce(run: RunWorld["run"]): boolean {
  const { status, phase } = run;
  return status === "PENDING" || status === "STAGING" || (phase === "waiting" && !waitsInProcess(run));
}

/** Nothing may be guessed: neither what is denied nor what is to be run. */
function unusable({ source, message }: ConfigurationError): Step {
  const details = { cause: "configuration", source };
  return failed("setup_failed", `The configuration cannot be used: ${source}: ${message}`, { details });
}

/** The process that waited was stopped, by a limit, for an answer or by a fence: a new one goes on. */
async function resumeRun(_: unknown, { run }: RunWorld): Promise<Step> {
  const { parked: _parked, fenced: _fenced, triesNow: _triesNow, ...options } = run.options;
  return { event: "resume", run: { resumeAt: null, options } };
}

type TakeStep = (context: ServiceContext, world: RunWorld) => Promise<Step | Unmoved>;

/** Takes the step if the run's clone is there. The settings in a new clone are read first. */
function withClone(step: TakeStep): TakeStep {
  return async (context, world) => {
    const clone = await cloneForRun(context, world);
    if (clone === "there") return step(context, world);
    return clone === "lacking" ? "left" : "again";
  };
}

function stepFor(state: RunWorld["run"]): TakeStep {
  const isReview = state.kind === "review";
  switch (state.phase ?? state.status) {
    case "queued":
      return withClone(async () => ({ event: "prepare" }));
    case "preparing":
      return withClone(prepareRun);
    case "waiting":
      return waitsInProcess(state) ? awaitAnswer : resumeRun;
    case "agent":
      return executeRun;
    case "proving":
      return isReview ? proveReview : proveRun;
    case "staging":
      return isReview ? concludeReview : stageRun;
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
