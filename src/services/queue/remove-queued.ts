/** Takes a run out of the queue of its attempt: it ends without having begun, and its words are kept. */
import { err, ok, type Result } from "neverthrow";
import { beginsAttempt, REMOVED_NOTE, wasRemoved } from "../../domain/run/queue.ts";
import type { Run } from "../../domain/run/run.ts";
import { moveRun as nextState } from "../../domain/run/state.ts";
import type { WriteTransaction } from "../../storage/schema/schema.ts";
import { getAttempt } from "../../storage/tables/attempts.ts";
import { appendFact } from "../../storage/tables/facts.ts";
import { moveRun } from "../../storage/tables/run-moves.ts";
import { getRun } from "../../storage/tables/runs.ts";
import { transact } from "../../storage/transact.ts";
import { noteNotSent } from "../comments/send-comments.ts";
import type { MoveContext, Uses } from "../core/context-parts.ts";
import { type Refusal, refuse, shortId } from "../core/refusal.ts";
import { type TeamContext, tellDrivers } from "../placing/tell-worker.ts";
import { queuedRun } from "./queued-run.ts";

/** The others of its queue stay as they are. One that was removed before is left as it is. */
export async function removeQueued(
  context: MoveContext & Uses<"dispatcher" | "actor"> & TeamContext,
  id: string,
): Promise<Result<void, Refusal>> {
  const removed = await transact(context.db, async (trx) => {
    const before = await getRun(trx, id);
    if (before !== null && wasRemoved(before)) return ok(undefined);
    const queued = await queuedRun(trx, id);
    if (queued.isErr()) return err(queued.error);
    const { run } = queued.value;
    if (beginsAttempt(run)) return err(attemptItself(run));
    const at = context.clock.iso();
    await end(trx, run, { at, actor: context.actor });
    await noteNotSent(trx, run, at);
    await tellDrivers(context, trx, [run.id]);
    return ok(undefined);
  });
  if (removed.isErr()) return removed;
  context.shells.release(id);
  context.newFacts.notify();
  context.dispatcher().poke();
  return removed;
}

async function end(
  trx: WriteTransaction,
  run: Run,
  { at, actor }: { readonly at: string } & Uses<"actor">,
): Promise<void> {
  const from = { status: run.status, phase: run.phase };
  const to = nextState(from, "cancel");
  if (to.isErr()) throw new Error(`illegal move: cancel from ${from.status}/${from.phase ?? ""}`);
  await moveRun(trx, {
    id: run.id,
    expect: { ...from, epoch: null },
    to: to.value,
    set: { endedAt: at, notes: [...run.notes, REMOVED_NOTE] },
  });
  await appendFact(trx, {
    at,
    kind: "run.state",
    taskId: (await getAttempt(trx, run.attemptId))?.taskId ?? null,
    attemptId: run.attemptId,
    runId: run.id,
    data: { ...to.value, outcome: null, failure: null, actor },
  });
}

function attemptItself({ id, attemptId }: Run): Refusal {
  const attempt = shortId(attemptId);
  return refuse("conflict", "begins_attempt", `The run ${shortId(id)} begins the attempt ${attempt}.`, {
    remedy: `\`tazuna cancel ${attempt}\` ends the attempt.`,
    details: { run: id, attempt: attemptId },
  });
}
