/** Puts a data folder in order when an engine starts: what an earlier one had begun is looked at before anything new. */
import { rm } from "node:fs/promises";
import type { Operation } from "../domain/operation.ts";
import { attemptsToClean } from "../storage/attempts-to-clean.ts";
import { endOperation, intendedOperations } from "../storage/operations.ts";
import { transact } from "../storage/transact.ts";
import { removeTemporaries } from "../utils/atomic-write.ts";
import { cleanUpAttempt } from "./attempts/clean-up-attempt.ts";
import type { ServiceContext } from "./context.ts";
import { waitForGit } from "./wait-for-git.ts";
import { recordSnapshots } from "./worktrees/record-snapshots.ts";
import { recordWorktree } from "./worktrees/record-worktree.ts";
import { takeBackMerge } from "./worktrees/take-back-merge.ts";

/**
 * Acts that were begun and not ended count as abandoned: the journeys look at the facts and do again what is missing.
 * Clean-ups go on. Unfinished runs are found by the dispatcher, which drives them on before anything that is queued.
 */
export async function recoverEngine(context: ServiceContext): Promise<void> {
  await waitForGit(context.paths.root);
  await removeTemporaries(context.paths.root);
  await rm(context.paths.scratch, { recursive: true, force: true });
  for (const operation of await intendedOperations(context.db.reader)) {
    await lookAt(context, operation).catch((error) =>
      context.reportFault(`looking at what ${operation.kind} came to`, error),
    );
    await transact(context.db, (trx) =>
      endOperation(trx, {
        id: operation.id,
        status: "abandoned",
        after: null,
        undoable: false,
        endedAt: context.clock.iso(),
      }),
    );
  }
  for (const attempt of await attemptsToClean(context.db.reader))
    await cleanUpAttempt(context, attempt).catch((error) =>
      context.reportFault(`cleaning up attempt ${attempt}`, error),
    );
}

/**
 * What an act left that no journey would look for again: a merge that stands half done would pass for a person's own, a
 * worktree would be nobody's if its run ended now, and a snapshot is taken anew while the first one must be known too.
 */
async function lookAt(context: ServiceContext, { kind, subject, before }: Operation): Promise<void> {
  if (kind === "merge") await takeBackMerge(context, subject.id);
  if (kind === "worktree_add") await recordWorktree(context, subject.id);
  if (kind === "snapshot")
    await recordSnapshots(context, { attemptId: subject.id, reason: String(before?.reason ?? "unknown") });
}
