/** Ends an attempt as a clean-up: like a cancel, but its branch stays if nothing else leads to its commits. */
import type { Attempt, Merged } from "../../domain/attempt/attempt.ts";
import { isEnded } from "../../domain/run/state.ts";
import { getAttempt, updateAttempt } from "../../storage/tables/attempts.ts";
import { insertOperation } from "../../storage/tables/operations.ts";
import { runsOfAttempt } from "../../storage/tables/runs.ts";
import { transact } from "../../storage/transact.ts";
import { keepCleaning } from "../attempts/keep-cleaning.ts";
import { attemptChanged } from "../core/attempt-changed.ts";
import type { CleanUpContext, Uses } from "../core/context-parts.ts";

/** Null once it is in the trash; else the reason as a sentence. What was begun is tried again by itself. */
export async function endCleanly(context: CleanUpContext, examined: Examined): Promise<string | null> {
  const { id } = examined.attempt;
  if (!(await saveRequest(context, examined)))
    return "It was taken up again, merged, or cleaned up, just now.";
  context.newFacts.notify();
  context.failpoint("request:clean");
  const failed = await keepCleaning(context, id);
  if (failed !== null) return `It could not be put into the trash: ${failed}. That is tried again by itself.`;
  const after = await getAttempt(context.db.reader, id);
  return after?.state === "removed" ? null : "Its clean-up waits for a run that was just begun.";
}

/** Its attempt and its runs as they were judged, and what was found out about its merge. */
interface Examined {
  readonly attempt: Attempt;
  readonly merged: Merged | null;
  readonly facts: { readonly runs: readonly { readonly id: string }[] };
}

/**
 * Writes into the journal that it was a clean-up, at the very time of the attempt's end: `wasCleaned` reads it. False
 * if the attempt is not as it was judged any more.
 */
async function saveRequest(
  context: Uses<"db" | "clock" | "newId" | "owner" | "actor">,
  { attempt: { id, merged: before }, merged, facts }: Examined,
): Promise<boolean> {
  const at = context.clock.iso();
  return transact(context.db, async (trx) => {
    const attempt = await getAttempt(trx, id);
    const runs = await runsOfAttempt(trx, id);
    if (attempt?.state !== "open" || runs.some(({ status }) => !isEnded(status))) return false;
    if (runs.length !== facts.runs.length || attempt.merged?.at !== before?.at) return false;
    await updateAttempt(trx, { id, set: { state: "canceled", merged, endedAt: at } });
    await insertOperation(trx, {
      id: context.newId(),
      workerId: context.owner,
      actor: context.actor,
      kind: "clean",
      subject: { type: "attempt", id },
      before: { state: "open" },
      after: { state: "canceled" },
      status: "done",
      undoable: false,
      at,
      endedAt: at,
    });
    await attemptChanged(trx, attempt, { at, state: "canceled" });
    return true;
  });
}
