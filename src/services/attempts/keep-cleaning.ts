/** Cleans cancelled attempts up; if that fails, stores the reason with the attempt and tries again by itself. */
import type { CleanUpTrouble } from "../../domain/attempt/attempt.ts";
import { isEnded } from "../../domain/run/state.ts";
import { attemptsToClean } from "../../storage/queries/attempts-to-clean.ts";
import type { WriteTransaction } from "../../storage/schema/schema.ts";
import { getAttempt, updateAttempt } from "../../storage/tables/attempts.ts";
import { runsOfAttempt } from "../../storage/tables/runs.ts";
import { standingOf } from "../../storage/team/drains.ts";
import { transact } from "../../storage/transact.ts";
import { settlesWithin } from "../../utils/time/waiting.ts";
import { attemptChanged } from "../core/attempt-changed.ts";
import type { CleanUpContext, Uses } from "../core/context-parts.ts";
import { holderOf, nameOfWorker, ownWorker } from "../core/held-elsewhere.ts";
import { areThere } from "../placing/tell-worker.ts";
import { cleanUpAttempt, markRemoved } from "./clean-up-attempt.ts";

/**
 * Null if it is cleaned up. Also if a run that still goes on will call again, or its worker cleans up. Else the reason,
 * without a full stop. Throws nothing.
 */
export async function keepCleaning(context: CleanUpContext, attemptId: string): Promise<string | null> {
  try {
    const holder = await holderOf(context, attemptId);
    if (holder !== null && (await areThere(context, [attemptId]))) return null;
    if (holder !== null) return await leaveToHolder(context, { attemptId, holder });
    await cleanUpAttempt(context, attemptId);
    forget(context, attemptId);
    return null;
  } catch (error) {
    context.reportFault(`cleaning up attempt ${attemptId}`, error);
    const why = (error instanceof Error ? error.message : String(error)).replace(/\.$/, "");
    const again = tryAgain(context, attemptId);
    await tell(context, { attemptId, why, again }).catch((fault) =>
      context.reportFault(`why attempt ${attemptId} is not cleaned up`, fault),
    );
    return why;
  }
}

/** Most end within it, so that nothing of them is under way when the ledgers are compared. */
const START_MS = 10_000;

/**
 * Goes on with what an earlier engine has begun. A start waits only shortly. A clean-up may hang in a filter of the user's,
 * or on a slow disk. Meanwhile nobody would renew the leases of the runs. What takes longer goes on beside all other work.
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

/** A worker that is not there cleans up at its next start; until then a person is told so. One that was removed never does. */
async function leaveToHolder(
  context: CleanUpContext,
  { attemptId, holder }: { readonly attemptId: string; readonly holder: string },
): Promise<string | null> {
  if ((await standingOf(context.db.reader, holder)).isRemoved) {
    await transact(context.db, (trx) => giveUpCleaning(trx, { attemptId, at: context.clock.iso() }));
    context.newFacts.notify();
    return null;
  }
  const name = await nameOfWorker(context, holder);
  const why = `its files lie on another worker, ${name}, which does it at its next start`;
  await tell(context, { attemptId, why, again: 0 });
  return why;
}

/** Its files stay on the machine of a removed worker. Does nothing while a run of the attempt still goes on. */
export async function giveUpCleaning(
  trx: WriteTransaction,
  { attemptId, at }: { readonly attemptId: string; readonly at: string },
): Promise<void> {
  const attempt = await getAttempt(trx, attemptId);
  if (attempt?.state !== "canceled") return;
  const runs = await runsOfAttempt(trx, attemptId);
  if (runs.every(({ status }) => isEnded(status))) await markRemoved(trx, attempt, at);
}

/** A person asks for it now: tries at once, and forgets what an earlier try said. */
export async function cleanUpNow(context: CleanUpContext, attemptId: string): Promise<void> {
  forget(context, attemptId);
  await store(context, attemptId, null);
  void keepCleaning(context, attemptId);
}

function forget({ cleanUpRetries }: Uses<"cleanUpRetries">, attemptId: string): void {
  clearTimeout(cleanUpRetries.get(attemptId)?.timer);
  cleanUpRetries.delete(attemptId);
}

/** Returns the milliseconds until the next try. The last wait is repeated for as long as this engine works. */
function tryAgain(context: CleanUpContext, attemptId: string): number {
  const { cleanUpRetries, timing, engineStop } = context;
  const before = cleanUpRetries.get(attemptId);
  clearTimeout(before?.timer);
  const tries = before?.tries ?? 0;
  const wait = timing.cleanUpMs[tries] ?? timing.cleanUpMs.at(-1) ?? 0;
  const timer = setTimeout(() => {
    if (!engineStop.aborted) void keepCleaning(context, attemptId);
  }, wait);
  timer.unref();
  cleanUpRetries.set(attemptId, { tries: tries + 1, timer });
  return wait;
}

async function tell(
  context: Uses<"db" | "clock" | "newFacts">,
  { attemptId, why, again }: { readonly attemptId: string; readonly why: string; readonly again: number },
): Promise<void> {
  const triedAt = context.clock.iso();
  const againAt = new Date(Date.parse(triedAt) + again).toISOString();
  await store(context, attemptId, { why, triedAt, againAt });
}

async function store(
  context: Uses<"db" | "clock" | "newFacts">,
  attemptId: string,
  cleanUp: CleanUpTrouble | null,
): Promise<void> {
  await transact(context.db, async (trx) => {
    const attempt = await getAttempt(trx, attemptId);
    if (attempt?.state !== "canceled" || (attempt.cleanUp === null && cleanUp === null)) return;
    await updateAttempt(trx, { id: attemptId, set: { cleanUp } });
    const at = context.clock.iso();
    await attemptChanged(trx, attempt, { at, state: "canceled", clean_up: cleanUp?.why ?? null });
  });
  context.newFacts.notify();
}
