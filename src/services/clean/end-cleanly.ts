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

/** `merged` is what was found out about it. Null once it is in the trash; else the reason as a sentence. What was begun is tried again by itself. */
export async function endCleanly(
  context: CleanUpContext,
  { id }: Attempt,
  merged: Merged | null,
): Promise<string | null> {
  if (!(await saveRequest(context, id, merged))) return "It was taken up again, or cleaned up, just now.";
  context.newFacts.notify();
  context.failpoint("request:clean");
  const failed = await keepCleaning(context, id);
  if (failed !== null) return `It could not be put into the trash: ${failed}. That is tried again by itself.`;
  const after = await getAttempt(context.db.reader, id);
  return after?.state === "removed" ? null : "Its clean-up waits for a run that was just begun.";
}

/** Writes into the journal that it was a clean-up, at the very time of the attempt's end: `wasCleaned` reads it. */
async function saveRequest(
  context: Uses<"db" | "clock" | "newId">,
  id: string,
  merged: Merged | null,
): Promise<boolean> {
  const at = context.clock.iso();
  return transact(context.db, async (trx) => {
    const attempt = await getAttempt(trx, id);
    const runs = await runsOfAttempt(trx, id);
    if (attempt?.state !== "open" || runs.some(({ status }) => !isEnded(status))) return false;
    await updateAttempt(trx, { id, set: { state: "canceled", merged, endedAt: at } });
    await insertOperation(trx, {
      id: context.newId(),
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
