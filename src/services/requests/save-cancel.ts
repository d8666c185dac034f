/** Saves that an attempt is cancelled, with the stop of its runs, in a transaction of the caller; then carries it out. */
import type { Attempt } from "../../domain/attempt/attempt.ts";
import type { WriteTransaction } from "../../storage/schema/schema.ts";
import { updateAttempt } from "../../storage/tables/attempts.ts";
import { runsOfAttempt } from "../../storage/tables/runs.ts";
import { cleanUpNow } from "../attempts/keep-cleaning.ts";
import { attemptChanged } from "../core/attempt-changed.ts";
import type { CleanUpContext, Uses } from "../core/context-parts.ts";
import { type TeamContext, tellHolder } from "../placing/tell-worker.ts";
import { carryOutRequest, type StopContext, saveRequest } from "./stop-run.ts";

/** A cancelled attempt, and its runs that are to end. */
export interface Canceled {
  readonly attempt: string;
  readonly runs: readonly string[];
}

/** From then on the attempt ends, even if this engine dies: the next start cleans up. */
export async function saveCancel(
  context: Uses<"clock" | "actor"> & TeamContext,
  trx: WriteTransaction,
  attempt: Attempt,
): Promise<Canceled> {
  const at = context.clock.iso();
  await updateAttempt(trx, { id: attempt.id, set: { state: "canceled", endedAt: at } });
  const runs: string[] = [];
  for (const run of await runsOfAttempt(trx, attempt.id))
    if ((await saveRequest(context, trx, { run, request: "cancel" })) === "requested") runs.push(run.id);
  await attemptChanged(trx, attempt, { at, state: "canceled" });
  await tellHolder(context, trx, attempt.id);
  return { attempt: attempt.id, runs };
}

export async function carryOutCancel(
  context: StopContext & CleanUpContext,
  canceled: readonly Canceled[],
): Promise<void> {
  for (const { attempt, runs } of canceled) {
    for (const run of runs) await carryOutRequest(context, run);
    await cleanUpNow(context, attempt);
  }
}
