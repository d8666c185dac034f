/** Holds follow-ups back after a failure, and lets them begin when what they need is there (ADR 0003). */
import { workOf } from "../../domain/attempt/attempt-runs.ts";
import type { WriteTransaction } from "../../storage/schema/schema.ts";
import { updateRun } from "../../storage/tables/run-moves.ts";
import { runsOfAttempt } from "../../storage/tables/runs.ts";

/** Lets every held run of the attempt begin, in order. */
export async function releaseHeld(trx: WriteTransaction, attemptId: string): Promise<void> {
  for (const run of await runsOfAttempt(trx, attemptId))
    if (run.held) await updateRun(trx, { id: run.id, expect: { epoch: null }, set: { held: false } });
}

/** Runs that were queued after run number `number` were meant for its success: they wait now. */
export async function holdFollowUps(
  trx: WriteTransaction,
  ended: { readonly attemptId: string; readonly number: number },
): Promise<void> {
  for (const run of workOf(await runsOfAttempt(trx, ended.attemptId)))
    if (run.number > ended.number && run.status === "PENDING" && run.phase === "queued" && !run.held)
      await updateRun(trx, { id: run.id, expect: { epoch: null }, set: { held: true } });
}
