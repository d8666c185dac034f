/** Brings an attempt back from the trash: its branch if that is gone, its worktree, every file, ignored ones too. */

import { err, ok, type Result } from "neverthrow";
import type { RestoredEntry } from "../../domain/trash/tidied.ts";
import { overKilled } from "../../git/runner/ask-again.ts";
import { operationsOfKinds } from "../../storage/queries/find-operations.ts";
import { noteUndone } from "../../storage/tables/operations.ts";
import { reopen } from "../attempts/reopen-attempt.ts";
import type { Uses, WorktreeContext } from "../core/context-parts.ts";
import { findPlaceHere } from "../core/find-place.ts";
import { refuseOthersAct } from "../core/held-elsewhere.ts";
import { askedBy, journaled } from "../core/journal.ts";
import type { Refusal } from "../core/refusal.ts";
import { loadRepositoryGit } from "../core/repository-git.ts";
import { repositoryTarget } from "../run-core/targets.ts";
import { findTrashed, placeOf, type TrashedAttempt, type TrashedWorktree } from "../trash/trash-entries.ts";
import { bringBack } from "./bring-back.ts";
import { refuseRestore, restoreFailed } from "./refuse-restore.ts";

/** If it is back already, a repeated request gets the answer of the first one. */
export async function restoreEntry(
  context: WorktreeContext & Uses<"attemptLock" | "configuration">,
  idOrPrefix: string,
): Promise<Result<RestoredEntry, Refusal>> {
  const found = await findTrashed(context, idOrPrefix);
  if (found.isErr()) return err(found.error);
  const entry = found.value;
  return context.attemptLock.run(entry.attemptId, () => restoreLocked(context, entry));
}

async function restoreLocked(
  engine: WorktreeContext & Uses<"configuration">,
  entry: TrashedWorktree,
): Promise<Result<RestoredEntry, Refusal>> {
  const others = await refuseOthersAct(engine, entry);
  if (others !== null) return err(others);
  const found = await findPlaceHere(engine, entry.attemptId);
  if (found.isErr()) return err(found.error);
  const place = found.value;
  const trashed = { ...place, entry };
  const restored = { entry: entry.id, path: place.attempt.worktree };
  const refusal = await refuseEntry(engine, trashed);
  if (refusal === "is_back") return ok(restored);
  if (refusal !== null) return err(refusal);
  const done = await restore(await loadRepositoryGit(engine, place), trashed);
  return done.map(() => restored).mapErr((error) => restoreFailed(error, trashed));
}

/** Why it cannot be brought back, or that it is back already; null if it can. */
export async function refuseEntry(
  context: Uses<"db" | "git" | "paths">,
  { attempt, repository, entry }: TrashedAttempt,
): Promise<Refusal | "is_back" | null> {
  const earlier = (await operationsOfKinds(context.db.reader, ["trash_restore"], attempt.id)).filter(
    ({ before }) => before?.entry === entry.id,
  );
  const isBack = earlier.some(({ status }) => status === "done");
  if (isBack && attempt.state === "open") return "is_back";
  const place = await placeOf(context, entry);
  return refuseRestore(context, { attempt, repository, entry, isBack, begun: earlier.length > 0, place });
}

/** One act of the journal that contains its steps: if it is interrupted, the next engine does the rest. */
async function restore(context: WorktreeContext, restoration: TrashedAttempt) {
  const { attempt, entry } = restoration;
  const by = await askedBy(context, repositoryTarget(restoration.repository));
  const reason = `restore of ${entry.id.slice(0, 8)} from the trash`;
  return journaled(
    context,
    {
      kind: "trash_restore",
      subject: { type: "attempt", id: attempt.id },
      before: {
        entry: entry.id,
        trash: entry.path,
        path: attempt.worktree,
        branch: attempt.branch,
        by,
        reason,
      },
    },
    () => overKilled(() => bringBack(context, restoration)),
    ({ gitDir, sha, left }) => ({ path: attempt.worktree, branch: attempt.branch, sha, gitDir, left }),
    async (trx, { gitDir }) => {
      await noteUndone(trx, entry.id);
      await reopen(context, trx, attempt, { gitDir, workerId: context.owner });
    },
  );
}
