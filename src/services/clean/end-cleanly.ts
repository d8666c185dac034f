/** Ends an attempt as a clean-up does: like a cancel, but its branch stays where nothing else leads to its commits. */
import type { Attempt } from "../../domain/attempt/attempt.ts";
import { isEnded } from "../../domain/run/state.ts";
import { getAttempt, updateAttempt } from "../../storage/attempts.ts";
import { appendFact } from "../../storage/facts.ts";
import { insertOperation } from "../../storage/operations.ts";
import { runsOfAttempt } from "../../storage/runs.ts";
import { transact } from "../../storage/transact.ts";
import { keepCleaning } from "../attempts/keep-cleaning.ts";
import type { ServiceContext } from "../context.ts";

/** Null once it is in the trash; else why it is not, as a sentence. What was begun is tried again by itself. */
export async function endCleanly(context: ServiceContext, { id }: Attempt): Promise<string | null> {
  if (!(await saveWish(context, id))) return "It was taken up again, or cleaned up, just now.";
  context.bell.ring();
  context.failpoint("wish:clean");
  const failed = await keepCleaning(context, id);
  if (failed !== null) return `It could not be put into the trash: ${failed}. That is tried again by itself.`;
  const after = await getAttempt(context.db.reader, id);
  return after?.state === "removed" ? null : "Its clean-up waits for a run that was just begun.";
}

/** With the journal's word that it was a clean-up, at the very time at which the attempt ended: `wasCleaned` reads it. */
async function saveWish(context: ServiceContext, id: string): Promise<boolean> {
  const at = context.clock.iso();
  return transact(context.db, async (trx) => {
    const attempt = await getAttempt(trx, id);
    const runs = await runsOfAttempt(trx, id);
    if (attempt?.state !== "open" || runs.some(({ status }) => !isEnded(status))) return false;
    await updateAttempt(trx, { id, set: { state: "canceled", endedAt: at } });
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
    await appendFact(trx, {
      at,
      kind: "attempt.changed",
      taskId: attempt.taskId,
      attemptId: id,
      runId: null,
      data: { state: "canceled" },
    });
    return true;
  });
}
