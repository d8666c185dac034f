/** Removes a worker that is not there, or has drained: its open runs end, and its attempts may go on elsewhere (ADR 0088). */
import { err, ok, type Result } from "neverthrow";
import { failure } from "../../domain/run/failure.ts";
import type { Run } from "../../domain/run/run.ts";
import type { Worker } from "../../domain/worker/worker.ts";
import type { WriteTransaction } from "../../storage/schema/schema.ts";
import { canceledAt, findWorker, noteRemoved, unfinishedOf } from "../../storage/team/drains.ts";
import { holdOff } from "../../storage/team/workers.ts";
import { transact } from "../../storage/transact.ts";
import { noteTeamAct } from "../access/team-acts.ts";
import { giveUpCleaning } from "../attempts/keep-cleaning.ts";
import { ownWorker } from "../core/held-elsewhere.ts";
import { noWorker, type Refusal, refuse, shortId } from "../core/refusal.ts";
import type { ListedWorker } from "../core/screen-shapes.ts";
import { moveUnheld } from "../moving/move-unheld.ts";
import { holdFollowUps } from "../run-core/held-follow-ups.ts";
import { workersChanged } from "./announce.ts";
import { type DrainContext, NOT_SHARED, tellItself } from "./drain-worker.ts";
import { goingOn, shownWorkers } from "./list-workers.ts";

/**
 * All of it, or nothing. While it is asked, its engine cannot start: the row says that it was removed before the engine
 * reads it. What the row held is answered.
 */
export async function removeWorker(
  context: DrainContext,
  named: string,
): Promise<Result<ListedWorker, Refusal>> {
  if (ownWorker(context) === null) return err(NOT_SHARED);
  const listed = (await shownWorkers(context)).unwrapOr([]);
  const removed = await transact(context.db, async (trx) => {
    const worker = await findWorker(trx, named);
    if (worker === null) return err(noWorker(named));
    const refusal = await refuseRemoval(trx, worker);
    if (refusal !== null) return err(refusal);
    const at = context.clock.iso();
    await endRuns(trx, worker, at);
    for (const attemptId of await canceledAt(trx, worker.id)) await giveUpCleaning(trx, { attemptId, at });
    await noteRemoved(trx, worker.id);
    await noteTeamAct(context, trx, { kind: "worker_removed", id: worker.id, name: worker.name });
    const { closeWorkerRole } = await import("../../storage/postgres/worker-roles.ts");
    await closeWorkerRole(trx, worker.id);
    await workersChanged(trx, at);
    await tellItself(context, trx, worker.id);
    return ok(worker.id);
  });
  context.newFacts.notify();
  context.dispatcher().poke();
  if (removed.isErr()) return err(removed.error);
  const shown = listed.find(({ id }) => id === removed.value);
  return shown === undefined ? err(noWorker(named)) : ok(shown);
}

async function refuseRemoval(trx: WriteTransaction, worker: Worker): Promise<Refusal | null> {
  const { id, name } = worker;
  if (await holdOff(trx, id)) return null;
  const runs = (await goingOn(trx, [id])).get(id) ?? 0;
  if (worker.drainingSince !== null && runs === 0) return null;
  const going = runs === 1 ? "1 run goes" : `${runs} runs go`;
  const message = `The worker ${name} is there, and ${runs === 0 ? "may begin runs" : `${going} on at it`}.`;
  return refuse("conflict", "worker_works", message, {
    remedy:
      worker.drainingSince === null
        ? `\`tazuna workers drain ${name}\` first; once it is drained, it can be removed.`
        : `Wait until it is drained; \`tazuna workers drain ${name} --within 1m\` stops what goes on then.`,
    details: { worker: id, runs },
  });
}

/** Whatever waits or works there ends: nobody would go on with it. */
async function endRuns(trx: WriteTransaction, worker: Worker, at: string): Promise<void> {
  const runs = (await unfinishedOf(trx, [worker.id])).get(worker.id) ?? [];
  for (const run of runs) await endRun(trx, worker, { run, at });
  // What waits behind them was asked for at other workers: a person decides.
  for (const run of runs.filter(({ kind }) => kind !== "review")) await holdFollowUps(trx, run);
}

async function endRun(
  trx: WriteTransaction,
  { name }: Worker,
  { run, at }: { readonly run: Run; readonly at: string },
): Promise<void> {
  const set = { endedAt: at, resumeAt: null };
  // A person had asked for its end before.
  if (run.stopRequest !== null) await moveUnheld(trx, run, { event: "cancel", set, at });
  else await moveUnheld(trx, run, { event: "fail", set: { ...set, failure: removedFailure(run, name) }, at });
}

function removedFailure({ id, attemptId }: Run, name: string) {
  return failure("interrupted", `Its worker, ${name}, was removed before the run had ended.`, {
    remedy: `\`tazuna continue ${shortId(attemptId)} "what is left to do"\` goes on in a clone here, from what was pushed; \`tazuna retry ${shortId(id)}\` does the run again. Its files stay on the machine of ${name}.`,
    details: { cause: "worker_removed" },
  });
}
