/** Puts a data folder in order when an engine starts: first it examines what an earlier one had begun. */
import type { Result } from "neverthrow";
import type { Operation } from "../domain/operation.ts";
import { claimRows } from "../storage/queries/rows-of-worker.ts";
import { endOperation, intendedOperations, noteLookFailed } from "../storage/tables/operations.ts";
import { freeQueued } from "../storage/tables/run-queue.ts";
import { forgetUncloned } from "../storage/team/uncloned-runs.ts";
import { transact } from "../storage/transact.ts";
import { removeTemporaries } from "../utils/files/atomic-write.ts";
import { isThere } from "../utils/files/is-there.ts";
import { goOnCleaning } from "./attempts/keep-cleaning.ts";
import { deleteMoved, finishMove } from "./attempts/move-to-trash.ts";
import { freeWorktree, restoreRun } from "./attempts/restore-run.ts";
import { stopLeftOnBases } from "./base-checks/run-on-base.ts";
import { cloneCameTo, finishClone } from "./clones/finish-clone.ts";
import type { ServiceContext } from "./core/context.ts";
import type { Uses, WorktreeContext } from "./core/context-parts.ts";
import { ownWorker } from "./core/held-elsewhere.ts";
import type { Refusal } from "./core/refusal.ts";
import { waitForGit } from "./core/wait-for-git.ts";
import { applyCameTo, mergeCameTo, noteMergeFound } from "./landing/merge-of-operation.ts";
import { reconcileAtStart } from "./ledgers/reconcile-at-start.ts";
import { dropUnusedTree } from "./requests/begin-from-tree.ts";
import { restoreEntry } from "./restore/restore-entry.ts";
import { takeLeft } from "./returned/take-left.ts";
import { emptyScratch } from "./runs/run-caches.ts";
import { clearTerminals } from "./terminals/end-terminals.ts";
import { finishPurge } from "./trash/purge-entry.ts";
import { noteUndo, undoneBefore } from "./undo/note-undone.ts";
import { takeBackMerge } from "./worktrees/merge-journaled.ts";
import { recordSnapshots } from "./worktrees/record-snapshots.ts";
import { recordWorktree } from "./worktrees/record-worktree.ts";

/**
 * Frees queued runs that an earlier engine was about to begin. Ends acts that were begun and not ended, by their
 * visible results. Without a visible result, an act counts as abandoned. The services look at the facts and do again
 * what is missing. An act that cannot be examined stays intended until a later start can. Restores and clean-ups go on,
 * and the ledgers are compared. The dispatcher drives unfinished runs on before anything that is queued.
 */
export async function recoverEngine(context: ServiceContext): Promise<void> {
  await waitForGit(context.paths.root);
  const worker = ownWorker(context);
  await transact(context.db, async (trx) => {
    await freeQueued(trx, worker);
    if (worker === null) return;
    await claimRows(trx, worker);
    // An engine that starts tries all clones again.
    await forgetUncloned(trx, worker);
  });
  for (const folder of [context.paths.root, context.paths.gitSettings]) await removeTemporaries(folder);
  await stopLeftOnBases(context);
  await emptyScratch(context);
  await clearTerminals(context).catch((error) => context.reportFault("what terminals left", error));
  const all = await intendedOperations(context.db.reader, worker);
  const restores = all.filter(({ kind }) => kind === "trash_restore" || kind === "run_restore");
  for (const operation of all.filter((each) => !restores.includes(each)))
    await lstatOrNull(context, operation)
      .then(() => settle(context, operation))
      .catch((error) => leaveIntended(context, operation, error));
  // The entry is ended only after the new act has its own entry: a kill between the two forgets neither.
  for (const operation of restores) {
    await goOn(context, operation).catch((error) =>
      context.reportFault(`what ${operation.kind} of attempt ${operation.subject.id} had begun`, error),
    );
    await settle(context, operation);
  }
  await deleteMoved(context).catch((error) => context.reportFault("deleting what is in the trash", error));
  await goOnCleaning(context);
  await reconcileAtStart(context).catch((error) => context.reportFault("comparing the ledgers", error));
}

/** The result is unknown: the act stays intended with the reason, doctor shows it, and the next start looks again. */
async function leaveIntended(
  context: Uses<"db" | "unexaminedOperations" | "reportFault">,
  { id, kind }: Operation,
  error: unknown,
): Promise<void> {
  context.unexaminedOperations.add(id);
  context.reportFault(`looking at what ${kind} came to`, error);
  const message = error instanceof Error ? error.message : String(error);
  await transact(context.db, (trx) => noteLookFailed(trx, { id, message })).catch((fault) =>
    context.reportFault(`why ${kind} could not be looked at`, fault),
  );
}

/** Ends the entry of an unfinished act, by its visible results. */
async function settle(context: Uses<"db" | "git" | "clock">, operation: Operation): Promise<void> {
  const after = await cameTo(context, operation);
  const at = context.clock.iso();
  await transact(context.db, async (trx) => {
    if (operation.kind === "undo" && after !== null) await noteUndo(trx, operation);
    if (operation.kind === "merge_attempt" && after !== null) await noteMergeFound(trx, operation, at);
    await endOperation(trx, {
      id: operation.id,
      status: after === null ? "abandoned" : "done",
      after,
      undoable: after !== null && !operation.kind.startsWith("clone"),
      endedAt: at,
    });
  });
}

/** The result of an unfinished act, if it can be seen; null if the act is abandoned. */
async function cameTo(context: Uses<"db" | "git">, operation: Operation): Promise<Operation["after"]> {
  if (operation.kind === "trash") return trashedAt(operation);
  if (operation.kind === "clone") return cloneCameTo(context, operation);
  if (operation.kind === "clone_away") return goneFrom(operation);
  if (operation.kind === "apply") return applyCameTo(context, operation);
  if (operation.kind === "merge_attempt") return mergeCameTo(context, operation);
  return operation.kind === "undo" ? undoneBefore(context, operation) : null;
}

/** Null if the clone is at its place. */
async function goneFrom({ before }: Operation): Promise<Operation["after"]> {
  const { path } = before ?? {};
  return typeof path !== "string" || (await isThere(path)) ? null : { path: null };
}

/** The place of a trashed worktree whose engine was killed before it could record that. Null if it was not moved. */
async function trashedAt({ before }: Operation): Promise<Operation["after"]> {
  const { path, trash } = before ?? {};
  if (typeof path !== "string" || typeof trash !== "string") return null;
  const [left, arrived] = await Promise.all([isThere(path), isThere(trash)]);
  return arrived && !left ? { path: trash } : null;
}

/**
 * Goes on with a restore that was cut off. If an undo of one was cut off, the person asks again: the restore tells what
 * the undo brings back.
 */
async function goOn(
  context: WorktreeContext & Uses<"attemptLock" | "configuration">,
  { kind, before, subject }: Operation,
): Promise<void> {
  if (kind === "trash_restore") return orThrow(await restoreEntry(context, String(before?.entry)));
  if (typeof before?.left === "string") {
    const asked = { attempt: subject.id, worker: before.left, discard: false };
    return orThrow(await takeLeft(context, asked, String(before.tree)));
  }
  if (typeof before?.run !== "string") return freeWorktree(context, subject.id);
  orThrow(await restoreRun(context, before.run, String(before.tree)));
}

function orThrow(done: Result<unknown, Refusal>): void {
  if (done.isErr()) throw new Error(done.error.message);
}

/**
 * Examines results that no other service would look for again. A half-done merge would look like a person's own. A worktree
 * would have no owner if its run ended now. A snapshot is taken again, but the first one must be known too.
 */
async function lstatOrNull(context: WorktreeContext, operation: Operation): Promise<void> {
  const { kind, subject, before } = operation;
  if (kind === "trash") await finishMove(operation);
  if (kind === "clone") await finishClone(context, operation);
  if (kind === "trash_purge" || kind === "clone_away") await finishPurge(context, operation);
  if (kind === "merge") await takeBackMerge(context, subject.id);
  if (kind === "tree_kept") await dropUnusedTree(context, subject.id, String(before?.run));
  if (kind === "worktree_add") await recordWorktree(context, subject.id);
  if (kind === "snapshot")
    await recordSnapshots(context, { attemptId: subject.id, reason: String(before?.reason ?? "unknown") });
}
