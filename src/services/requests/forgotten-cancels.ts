/** Carries out cancels and clean-ups that were stored, if the connection was lost before this engine heard of it. */
import { isEnded } from "../../domain/run/state.ts";
import { attemptsToClean } from "../../storage/queries/attempts-to-clean.ts";
import { runsOfAttempt } from "../../storage/tables/runs.ts";
import { keepCleaning } from "../attempts/keep-cleaning.ts";
import type { CleanUpContext, Uses } from "../core/context-parts.ts";
import { ownWorker } from "../core/held-elsewhere.ts";
import { carryOutRequest, type StopContext } from "./stop-run.ts";

export type ForgottenContext = CleanUpContext & StopContext & Uses<"reportFault">;

/** So often within the length of a lease. */
const LOOKS = 2;

/** The engine works, so nobody would look before its next start. An SQLite is a file and loses no answer. */
export function watchForgotten(context: ForgottenContext): { stop(): void } {
  if (ownWorker(context) === null) return { stop: () => undefined };
  let isLooking = false;
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    carryOutForgotten(context)
      .catch((error) => context.reportFault("looking for forgotten clean-ups", error))
      .finally(() => {
        isLooking = false;
      });
  }, context.timing.leaseMs / LOOKS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

/** May meet a request that is being carried out: both ask again under the lock of the attempt. */
async function carryOutForgotten(context: ForgottenContext): Promise<void> {
  const { reader } = context.db;
  for (const attempt of await attemptsToClean(reader, ownWorker(context))) {
    if (context.engineStop.aborted) return;
    // What failed before is tried again at a time of its own.
    if (context.cleanUpRetries.has(attempt)) continue;
    const going = (await runsOfAttempt(reader, attempt)).filter(({ status }) => !isEnded(status));
    for (const { id } of going) await carryOutRequest(context, id);
    await keepCleaning(context, attempt);
  }
}
