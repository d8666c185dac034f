/** Stops a run, or the one that works in an attempt: worktree, branch and session stay. */
import { err, ok, type Result } from "neverthrow";
import type { Run } from "../../domain/run/run.ts";
import { isEnded } from "../../domain/run/state.ts";
import { waitsInProcess } from "../../domain/run/waiting.ts";
import type { WriteTransaction } from "../../storage/schema/schema.ts";
import { attemptsOfTask } from "../../storage/tables/attempts.ts";
import { appendFact } from "../../storage/tables/facts.ts";
import { requestStop, updateRun } from "../../storage/tables/run-moves.ts";
import { getRun, runsOfAttempt } from "../../storage/tables/runs.ts";
import { transact } from "../../storage/transact.ts";
import type { ResolvedId } from "../core/answer-shapes.ts";
import type { MoveContext, Uses } from "../core/context-parts.ts";
import { leftToOthers, refuseElsewhere } from "../core/held-elsewhere.ts";
import { notFound, type Refusal } from "../core/refusal.ts";
import { areThere, type TeamContext, tellDrivers } from "../placing/tell-worker.ts";
import { holdFollowUps } from "../run-core/held-follow-ups.ts";
import { keepLease, type LeaseContext } from "../run-core/keep-lease.ts";
import { loadWorld } from "../run-core/load-world.ts";
import { moveByStep } from "../run-core/move-run.ts";

/** What ending a run needs if the run has no driver; if it has one, the driver is told. */
export type StopContext = MoveContext &
  Uses<"owner" | "actor" | "paths" | "timing" | "configuration" | "dispatcher" | "drivers" | "engineStop"> &
  LeaseContext &
  TeamContext;

/** Saves the request, then tells the run's driver; an ended run is left as it is. */
export async function stopRun(
  context: StopContext,
  runId: string,
): Promise<Result<"requested" | "ended", Refusal>> {
  const run = await getRun(context.db.reader, runId);
  if (run === null) return err(notFound("run", runId));
  const elsewhere = await refuseToStop(context, [run]);
  if (elsewhere !== null) return err(elsewhere);
  const result = await transact(context.db, (trx) => saveRequest(context, trx, { run, request: "stop" }));
  context.newFacts.notify();
  if (result === "ended") return ok("ended");
  context.failpoint("request:stop");
  await carryOutRequest(context, runId);
  return ok("requested");
}

/** The kind of the id decides what is stopped: a run, an attempt's working run, or a task's working runs. */
export async function stopFound(context: StopContext, found: ResolvedId): Promise<Result<void, Refusal>> {
  switch (found.type) {
    case "task": {
      const attempts = await attemptsOfTask(context.db.reader, found.taskId);
      return stopAttempts(
        context,
        attempts.map(({ id }) => id),
      );
    }
    case "attempt":
      return stopAttempts(context, [found.id]);
    case "run":
      return (await stopRun(context, found.id)).map(() => undefined);
  }
}

async function stopAttempts(context: StopContext, ids: readonly string[]): Promise<Result<void, Refusal>> {
  const runs = await Promise.all(ids.map((id) => runsOfAttempt(context.db.reader, id)));
  const elsewhere = await refuseToStop(context, runs.flat());
  if (elsewhere !== null) return err(elsewhere);
  for (const id of ids) await stopAttempt(context, id);
  return ok(undefined);
}

/** A working agent is stopped by the worker that holds its files, if that is there. */
async function refuseToStop(context: StopContext, runs: readonly Run[]): Promise<Refusal | null> {
  const others = await leftToOthers(
    context,
    runs.filter(({ status }) => !isEnded(status)),
  );
  const left = runs.filter(({ id }) => others.has(id)).map(({ attemptId }) => attemptId);
  const [first] = left;
  return first === undefined || (await areThere(context, left)) ? null : refuseElsewhere(context, first);
}

/** Stops the run that works, else the next of its queue. The others of the queue are held in the same transaction. */
async function stopAttempt(context: StopContext, attemptId: string): Promise<void> {
  const stopped = await transact(context.db, async (trx) => {
    const going = (await runsOfAttempt(trx, attemptId)).filter(
      ({ status, phase, held }) => !isEnded(status) && !(held && phase === "queued"),
    );
    const working = going.filter(({ phase }) => phase !== "queued");
    const wanted = working.length > 0 ? working : going.slice(0, 1);
    for (const run of wanted) await saveRequest(context, trx, { run, request: "stop" });
    for (const { id } of going.filter((run) => !wanted.includes(run)))
      await updateRun(trx, { id, expect: { epoch: null }, set: { held: true } });
    return wanted;
  });
  context.newFacts.notify();
  context.failpoint("request:stop");
  for (const { id } of stopped) await carryOutRequest(context, id);
}

/**
 * Written in the transaction of what it belongs to. From then on the run ends, even if this engine dies. The runs that
 * wait behind it are held.
 */
export async function saveRequest(
  context: Uses<"clock" | "actor"> & TeamContext,
  trx: WriteTransaction,
  stop: {
    readonly run: Pick<Run, "id" | "attemptId" | "kind">;
    readonly request: "stop" | "cancel";
  },
): Promise<"requested" | "ended"> {
  const { run, request } = stop;
  const requested = await requestStop(trx, run.id, request);
  if (requested === "ended") return requested;
  if (run.kind !== "review") await holdFollowUps(trx, run);
  await appendFact(trx, {
    at: context.clock.iso(),
    kind: "run.stop_requested",
    taskId: null,
    attemptId: run.attemptId,
    runId: run.id,
    data: { wish: request, actor: context.actor },
  });
  await tellDrivers(context, trx, [run.id]);
  return requested;
}

/** Tells the run's driver, or ends the run if it has none. */
export async function carryOutRequest(context: StopContext, runId: string): Promise<void> {
  const driver = context.drivers.get(runId);
  if (driver === undefined) return cancelIdleRun(context, runId);
  driver.abort();
}

/**
 * Ends a run that has no driver now: one that is queued, or that waits for its provider. Moves it to CANCELED, unless
 * its driver has begun meanwhile: then the driver sees the stored request.
 */
async function cancelIdleRun(context: StopContext, runId: string): Promise<void> {
  if (context.drivers.has(runId)) {
    context.drivers.get(runId)?.abort();
    return;
  }
  // Entered in place of a driver: the queue then leaves the run alone, and a second request aborts this one.
  const stop = new AbortController();
  context.drivers.set(runId, stop);
  const lease = await keepLease(context, runId);
  try {
    const world =
      lease && (await loadWorld(context, { runId, epoch: lease.epoch, signal: stop.signal, resumed: true }));
    if (!world) return;
    const { phase } = world.run;
    const idle = phase === "queued" || (phase === "waiting" && !waitsInProcess(world.run));
    if (idle) await moveByStep(context, world, { event: "cancel" });
  } finally {
    await lease?.release();
    // A driver that began meanwhile has put its own entry here.
    if (context.drivers.get(runId) === stop) context.drivers.delete(runId);
    context.dispatcher().poke();
  }
}
