/** Does what is stored for a run or an attempt of this data folder, once another engine says so. */
import { isEnded } from "../../domain/run/state.ts";
import { otherWorkerOf } from "../../storage/queries/rows-of-worker.ts";
import { getAttempt } from "../../storage/tables/attempts.ts";
import { getRun } from "../../storage/tables/runs.ts";
import { cleanUpNow } from "../attempts/keep-cleaning.ts";
import type { CleanUpContext, Uses } from "../core/context-parts.ts";
import { ownWorker } from "../core/held-elsewhere.ts";
import { type TakingContext, takeWaiting } from "../moving/take-waiting.ts";
import { carryOutRequest, type StopContext } from "./stop-run.ts";

/** May be repeated: only what rows say counts. */
export async function lookAt(
  context: StopContext & CleanUpContext & TakingContext,
  at: { readonly run: string | null; readonly attempt: string | null },
): Promise<void> {
  const { reader } = context.db;
  const run = at.run === null ? null : await getRun(reader, at.run);
  if (run !== null && (await isOfOther(context, run.id))) {
    // It may have moved from here.
    context.shells.release(run.id);
    if (run.phase === "queued") await takeWaiting(context, run.id);
  }
  if (run !== null && run.stopRequest !== null && !isEnded(run.status))
    await carryOutRequest(context, run.id);
  const attempt = at.attempt === null ? null : await getAttempt(reader, at.attempt);
  if (attempt?.state === "canceled") await cleanUpNow(context, attempt.id);
  context.dispatcher().poke();
}

async function isOfOther(context: Uses<"db" | "owner">, run: string): Promise<boolean> {
  const than = ownWorker(context);
  return than !== null && (await otherWorkerOf(context.db.reader, { table: "runs", id: run, than })) !== null;
}
