/** Holds follow-ups back after a failure, and lets them begin when what they were meant for is there (ADR 0003). */
import { updateRun } from "../../storage/run-moves.ts";
import { runsOfAttempt } from "../../storage/runs.ts";
import type { WriteTransaction } from "../../storage/schema.ts";

/** Everything that is held in the attempt may begin, in its order. */
export async function releaseHeld(trx: WriteTransaction, attemptId: string): Promise<void> {
  for (const run of await runsOfAttempt(trx, attemptId))
    if (run.held) await updateRun(trx, { id: run.id, expect: { epoch: null }, set: { held: false } });
}

/** What was queued after run number `number` was meant for its success: it waits now. */
export async function holdFollowUps(
  trx: WriteTransaction,
  of: { readonly attemptId: string; readonly number: number },
): Promise<void> {
  for (const run of await runsOfAttempt(trx, of.attemptId))
    if (run.number > of.number && run.status === "PENDING" && run.phase === "queued" && !run.held)
      await updateRun(trx, { id: run.id, expect: { epoch: null }, set: { held: true } });
}
