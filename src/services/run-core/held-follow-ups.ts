/** Holds follow-ups back after a failure, and lets them begin when what they need is there (ADR 0003). */
import { workOf } from "../../domain/attempt/attempt-runs.ts";
import { heldLast, queueOf } from "../../domain/run/queue.ts";
import type { Run } from "../../domain/run/run.ts";
import type { WriteTransaction } from "../../storage/schema/schema.ts";
import { updateRun } from "../../storage/tables/run-moves.ts";
import { orderRuns } from "../../storage/tables/run-queue.ts";
import { runsOfAttempt } from "../../storage/tables/runs.ts";

/** Lets every held run of the attempt begin, in order. */
export async function releaseHeld(trx: WriteTransaction, attemptId: string): Promise<void> {
  for (const run of await runsOfAttempt(trx, attemptId))
    if (run.held) await updateRun(trx, { id: run.id, expect: { epoch: null }, set: { held: false } });
}

/** Runs that wait behind this one were meant for its success: they are held now. */
export async function holdFollowUps(
  trx: WriteTransaction,
  ended: Pick<Run, "id" | "attemptId">,
): Promise<void> {
  const runs = await runsOfAttempt(trx, ended.attemptId);
  for (const run of workOf(runs.slice(runs.findIndex(({ id }) => id === ended.id) + 1)))
    if (run.status === "PENDING" && run.phase === "queued" && !run.held)
      await updateRun(trx, { id: run.id, expect: { epoch: null }, set: { held: true } });
}

/** Held runs stand aside: whatever is added without them goes before. */
export async function putHeldLast(trx: WriteTransaction, attemptId: string): Promise<void> {
  const queue = heldLast(queueOf(await runsOfAttempt(trx, attemptId)));
  await orderRuns(
    trx,
    queue.map(({ id }) => id),
  );
}
