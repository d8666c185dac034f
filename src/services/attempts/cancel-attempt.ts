/** Cancels an attempt: stops its run, keeps a snapshot, puts the worktree into the trash, takes the branch away. */
import { err, ok, type Result } from "neverthrow";
import { attemptsOfTask, getAttempt, updateAttempt } from "../../storage/attempts.ts";
import { appendFact } from "../../storage/facts.ts";
import { getRun, runsOfAttempt } from "../../storage/runs.ts";
import { transact } from "../../storage/transact.ts";
import type { ServiceContext } from "../context.ts";
import { notFound } from "../refusal.ts";
import { carryOutWish, saveWish, stopRun } from "../runs/stop-run.ts";
import type { Found, Refusal } from "../services.ts";
import { cleanUpNow } from "./keep-cleaning.ts";

/** What an id stands for decides what is cancelled: a task is all its attempts, an attempt's only run is the attempt. */
export async function cancelFound(context: ServiceContext, found: Found): Promise<Result<void, Refusal>> {
  switch (found.type) {
    case "task": {
      for (const attempt of await attemptsOfTask(context.db.reader, found.taskId)) {
        const canceled = await cancelAttempt(context, attempt.id);
        if (canceled.isErr()) return err(canceled.error);
      }
      return ok(undefined);
    }
    case "attempt":
      return cancelAttempt(context, found.id);
    case "run":
      return cancelRun(context, found.id);
  }
}

/** Seed 003: cancelling the only run cancels the attempt; cancelling a later one is to stop it. */
async function cancelRun(context: ServiceContext, runId: string): Promise<Result<void, Refusal>> {
  const run = await getRun(context.db.reader, runId);
  if (run === null) return err(notFound("run", runId));
  const runs = await runsOfAttempt(context.db.reader, run.attemptId);
  if (runs.length === 1) return cancelAttempt(context, run.attemptId);
  return (await stopRun(context, runId)).map(() => undefined);
}

/** The wish is saved for the attempt and its runs at once, so that a crash in the middle is cleaned up at the next start. */
async function cancelAttempt(context: ServiceContext, attemptId: string): Promise<Result<void, Refusal>> {
  const attempt = await getAttempt(context.db.reader, attemptId);
  if (attempt === null) return err(notFound("attempt", attemptId));
  // Asked again: what kept its clean-up from ending may be gone.
  if (attempt.state === "canceled") await cleanUpNow(context, attemptId);
  if (attempt.state !== "open") return ok(undefined);
  const at = context.clock.iso();
  const canceled = await transact(context.db, async (trx) => {
    await updateAttempt(trx, { id: attemptId, set: { state: "canceled", endedAt: at } });
    const runs: string[] = [];
    for (const run of await runsOfAttempt(trx, attemptId))
      if ((await saveWish(context, trx, { run, wish: "cancel" })) === "requested") runs.push(run.id);
    await appendFact(trx, {
      at,
      kind: "attempt.changed",
      taskId: attempt.taskId,
      attemptId,
      runId: null,
      data: { state: "canceled" },
    });
    return runs;
  });
  context.bell.ring();
  context.failpoint("wish:cancel");
  for (const run of canceled) await carryOutWish(context, run);
  await cleanUpNow(context, attemptId);
  return ok(undefined);
}
