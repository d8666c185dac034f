/** Goes on with the clean-ups that an earlier engine has begun. */
import { attemptsToClean } from "../../storage/queries/attempts-to-clean.ts";
import { settlesWithin } from "../../utils/time/waiting.ts";
import type { CleanUpContext } from "../core/context-parts.ts";
import { ownWorker } from "../core/held-elsewhere.ts";
import { keepCleaning } from "./keep-cleaning.ts";

/** Most end within it, so that nothing of them is under way when the ledgers are compared. */
const START_MS = 10_000;

/**
 * A start waits only shortly. A clean-up may hang in a filter of the user's, or on a slow disk. Meanwhile nobody would
 * renew the leases of the runs. What takes longer goes on beside all other work.
 */
export async function goOnCleaning(context: CleanUpContext): Promise<void> {
  const attempts = await attemptsToClean(context.db.reader, ownWorker(context));
  await settlesWithin(START_MS, cleanEach(context, attempts));
}

/** One after the other. Throws nothing. */
async function cleanEach(context: CleanUpContext, attempts: readonly string[]): Promise<void> {
  for (const attempt of attempts) {
    if (context.engineStop.aborted) return;
    await keepCleaning(context, attempt);
  }
}
