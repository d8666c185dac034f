/** Puts a data folder in order when an engine starts: what an earlier one had begun is looked at before anything new. */
import type { Result } from "neverthrow";
import type { Operation } from "../domain/operation.ts";
import { attemptsToClean } from "../storage/attempts-to-clean.ts";
import { endOperation, intendedOperations, noteLookFailed, noteUndone } from "../storage/operations.ts";
import { transact } from "../storage/transact.ts";
import { removeTemporaries } from "../utils/atomic-write.ts";
import { isThere } from "../utils/is-there.ts";
import { keepCleaning } from "./attempts/keep-cleaning.ts";
import { freeWorktree, restoreRun } from "./attempts/restore-run.ts";
import type { ServiceContext } from "./context.ts";
import { reconcileAtStart } from "./ledgers/reconcile-at-start.ts";
import { emptyScratch } from "./runs/own-stores.ts";
import type { Refusal } from "./services.ts";
import { finishPurge } from "./trash/purge-entry.ts";
import { restoreEntry } from "./trash/restore-entry.ts";
import { undoneBefore } from "./undo/undone-before.ts";
import { waitForGit } from "./wait-for-git.ts";
import { recordSnapshots } from "./worktrees/record-snapshots.ts";
import { recordWorktree } from "./worktrees/record-worktree.ts";
import { takeBackMerge } from "./worktrees/take-back-merge.ts";

/**
 * Acts that were begun and not ended are ended by what can be seen of them, and count as abandoned where nothing can: the
 * journeys look at the facts and do again what is missing. One that cannot be looked at stays intended, until a start can.
 * Restores and clean-ups go on, and the ledgers are compared. Unfinished runs are found by the dispatcher, which drives
 * them on before anything that is queued.
 */
export async function recoverEngine(context: ServiceContext): Promise<void> {
  await waitForGit(context.paths.root);
  for (const folder of [context.paths.root, context.paths.gitSettings]) await removeTemporaries(folder);
  await emptyScratch(context);
  const all = await intendedOperations(context.db.reader);
  const restores = all.filter(({ kind }) => kind === "trash_restore" || kind === "run_restore");
  for (const operation of all.filter((each) => !restores.includes(each)))
    await lookAt(context, operation)
      .then(() => settle(context, operation))
      .catch((error) => leaveIntended(context, operation, error));
  // Ended after what goes on has begun as an act of its own: a kill between the two forgets neither.
  for (const operation of restores) {
    await goOn(context, operation).catch((error) =>
      context.reportFault(`what ${operation.kind} of attempt ${operation.subject.id} had begun`, error),
    );
    await settle(context, operation);
  }
  for (const attempt of await attemptsToClean(context.db.reader)) await keepCleaning(context, attempt);
  await reconcileAtStart(context).catch((error) => context.reportFault("comparing the ledgers", error));
}

/** Nobody knows what it came to: it stays intended with the reason, doctor shows it, and the next start looks again. */
async function leaveIntended(
  context: ServiceContext,
  { id, kind }: Operation,
  error: unknown,
): Promise<void> {
  context.unended.add(id);
  context.reportFault(`looking at what ${kind} came to`, error);
  const message = error instanceof Error ? error.message : String(error);
  await transact(context.db, (trx) => noteLookFailed(trx, { id, message })).catch((fault) =>
    context.reportFault(`why ${kind} could not be looked at`, fault),
  );
}

/** Ends the entry of an act that nobody ended, by what can be seen of it. */
async function settle(context: ServiceContext, operation: Operation): Promise<void> {
  const after = await cameTo(context, operation);
  await transact(context.db, async (trx) => {
    if (operation.kind === "undo" && after !== null) await noteUndone(trx, String(operation.before?.of));
    await endOperation(trx, {
      id: operation.id,
      status: after === null ? "abandoned" : "done",
      after,
      undoable: after !== null,
      endedAt: context.clock.iso(),
    });
  });
}

/** What an act that nobody ended came to all the same, where that can be seen; null where it is abandoned. */
async function cameTo(context: ServiceContext, operation: Operation): Promise<Operation["after"]> {
  if (operation.kind === "trash") return trashedAt(operation);
  return operation.kind === "undo" ? undoneBefore(context, operation) : null;
}

/** Where a worktree went whose engine was killed before it could say so; null where it did not go. */
async function trashedAt({ before }: Operation): Promise<Operation["after"]> {
  const { path, trash } = before ?? {};
  if (typeof path !== "string" || typeof trash !== "string") return null;
  const [left, arrived] = await Promise.all([isThere(path), isThere(trash)]);
  return arrived && !left ? { path: trash } : null;
}

/** A restore that was cut off. An undo of one is the person's to ask for again: what it brings back is known from the restore. */
async function goOn(context: ServiceContext, { kind, before, subject }: Operation): Promise<void> {
  if (kind === "trash_restore") return orThrow(await restoreEntry(context, String(before?.entry)));
  if (typeof before?.run !== "string") return freeWorktree(context, subject.id);
  orThrow(await restoreRun(context, before.run, String(before.tree)));
}

function orThrow(done: Result<unknown, Refusal>): void {
  if (done.isErr()) throw new Error(done.error.message);
}

/**
 * What an act left that no journey would look for again: a merge that stands half done would pass for a person's own, a
 * worktree would be nobody's if its run ended now, and a snapshot is taken anew while the first one must be known too.
 */
async function lookAt(context: ServiceContext, operation: Operation): Promise<void> {
  const { kind, subject, before } = operation;
  if (kind === "trash_purge") await finishPurge(context, operation);
  if (kind === "merge") await takeBackMerge(context, subject.id);
  if (kind === "worktree_add") await recordWorktree(context, subject.id);
  if (kind === "snapshot")
    await recordSnapshots(context, { attemptId: subject.id, reason: String(before?.reason ?? "unknown") });
}
