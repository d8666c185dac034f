/** Finds a run in the queue of its attempt, or says why it is not there any more. */
import { err, ok, type Result } from "neverthrow";
import { isQueued, queueOf } from "../../domain/run/queue.ts";
import type { Run } from "../../domain/run/run.ts";
import { isEnded } from "../../domain/run/state.ts";
import type { WriteTransaction } from "../../storage/schema/schema.ts";
import { getRun, runsOfAttempt } from "../../storage/tables/runs.ts";
import { notFound, type Refusal, refuse, shortId } from "../core/refusal.ts";

export interface Queued {
  readonly run: Run;
  /** The whole queue of its attempt, in order. */
  readonly queue: readonly Run[];
}

/**
 * In the transaction that changes it. A run is begun by taking its lease, in a transaction too: so either the change
 * holds when it begins, or the change is refused.
 */
export async function queuedRun(trx: WriteTransaction, id: string): Promise<Result<Queued, Refusal>> {
  const run = await getRun(trx, id);
  if (run === null) return err(notFound("run", id));
  if (!isQueued(run)) return err(notQueued(run));
  return ok({ run, queue: queueOf(await runsOfAttempt(trx, run.attemptId)) });
}

function notQueued({ id, attemptId, status, stopRequest }: Run): Refusal {
  const [run, attempt] = [shortId(id), shortId(attemptId)];
  const details = { run: id, attempt: attemptId };
  if (isEnded(status) || stopRequest !== null)
    return refuse("conflict", "run_ended", `The run ${run} has left the queue: it has ended.`, {
      remedy: `\`tazuna queue ${attempt}\` shows what waits; \`tazuna continue ${attempt} "..."\` sends something new.`,
      details,
    });
  return refuse("conflict", "run_began", `The run ${run} has left the queue: it has begun.`, {
    remedy: `\`tazuna stop ${run}\` interrupts it; \`tazuna continue ${attempt} "..."\` says what is to be done next.`,
    details,
  });
}
