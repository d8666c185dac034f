/**
 * Cancels an attempt: stops its run, keeps a snapshot, puts the worktree into the trash, removes the branch (seed 003
 * Clean-up).
 */
import { err, ok, type Result } from "neverthrow";
import { workOf } from "../../domain/attempt/attempt-runs.ts";
import { attemptsOfTask, getAttempt } from "../../storage/tables/attempts.ts";
import { getRun, runsOfAttempt } from "../../storage/tables/runs.ts";
import { transact } from "../../storage/transact.ts";
import { cleanUpNow } from "../attempts/keep-cleaning.ts";
import type { ResolvedId } from "../core/answer-shapes.ts";
import type { ServiceContext } from "../core/context.ts";
import { notFound, type Refusal } from "../core/refusal.ts";
import { carryOutCancel, saveCancel } from "./save-cancel.ts";
import { stopRun } from "./stop-run.ts";

/**
 * The kind of the id decides what is cancelled. For a task it is all attempts; for an attempt's only run, the
 * attempt.
 */
export async function cancelFound(
  context: ServiceContext,
  found: ResolvedId,
): Promise<Result<void, Refusal>> {
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

/** Seed 003: to cancel the only run cancels the attempt; to cancel a later run only stops it. */
async function cancelRun(context: ServiceContext, runId: string): Promise<Result<void, Refusal>> {
  const run = await getRun(context.db.reader, runId);
  if (run === null) return err(notFound("run", runId));
  const work = workOf(await runsOfAttempt(context.db.reader, run.attemptId));
  if (work.length === 1 && run.kind !== "review") return cancelAttempt(context, run.attemptId);
  return (await stopRun(context, runId)).map(() => undefined);
}

/** Saves the request for the attempt and its runs at once. After a crash, the next start cleans up. */
async function cancelAttempt(context: ServiceContext, attemptId: string): Promise<Result<void, Refusal>> {
  const attempt = await getAttempt(context.db.reader, attemptId);
  if (attempt === null) return err(notFound("attempt", attemptId));
  // A repeated request: the cause that stopped its clean-up may be gone.
  if (attempt.state === "canceled") await cleanUpNow(context, attemptId);
  if (attempt.state !== "open") return ok(undefined);
  const canceled = await transact(context.db, (trx) => saveCancel(context, trx, attempt));
  context.newFacts.notify();
  context.failpoint("request:cancel");
  await carryOutCancel(context, [canceled]);
  return ok(undefined);
}
