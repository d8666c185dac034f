/** Moves a reference back to its place before an operation, if it has not moved since (compare and swap). */
import { err, ok, type Result } from "neverthrow";
import type { Operation } from "../../domain/operation.ts";
import { deleteRef, readRef, updateRef } from "../../git/refs/refs.ts";
import { operationsOfKinds } from "../../storage/queries/find-operations.ts";
import type { GitContext, Uses } from "../core/context-parts.ts";
import { askedBy, journaled } from "../core/journal.ts";
import { type Refusal, refuse } from "../core/refusal.ts";
import { keepSnapshot } from "../run-core/keep-snapshot.ts";
import { repositoryTarget } from "../run-core/targets.ts";
import { noteUndo } from "./note-undone.ts";
import { type RefUndo, refuseMove } from "./refuse-move.ts";
import { queryEach } from "./repository-queries.ts";

/** Call it under the attempt's lock. It touches no file of any worktree. */
export async function moveRefBack(
  context: GitContext & Uses<"locks">,
  undo: RefUndo,
): Promise<Result<Operation, Refusal>> {
  const before = await undoneBy(context, undo);
  if (before !== null) return ok(before);
  const refusal = await refuseMove(context, undo, queryEach(context, undo.repository));
  if (refusal !== null) return err(refusal);
  const kept = await keepAfter(context, undo);
  if (kept.isErr()) return err(failed(undo, kept.error.message));
  const moved = await context.locks.shared(undo.repository.commonDir, () => moveJournaled(context, undo));
  if (moved.isErr()) return err(failed(undo, moved.error.message));
  const undone = await undoneBy(context, undo);
  return undone === null ? err(failed(undo, "the journal does not know of it")) : ok(undone);
}

/** Keeps commits that only the reference may hold, before it lets them go. */
async function keepAfter(
  context: GitContext,
  { move, attempt, repository }: RefUndo,
): Promise<Result<void, { readonly message: string }>> {
  if (move.after === null) return ok(undefined);
  const target = repositoryTarget(repository);
  const commit = await readRef(context.git, target, `${move.after}^{commit}`);
  if (commit.isErr()) return err(commit.error);
  if (commit.value === null) return err({ message: `${move.ref} is not at a commit` });
  const kept = await keepSnapshot(context, { attempt }, { target, reason: "undo", commit: commit.value });
  return kept.map(() => undefined);
}

async function moveJournaled(context: GitContext, { operation, move, repository }: RefUndo) {
  const { ref, before, after } = move;
  const target = repositoryTarget(repository);
  const by = await askedBy(context, target);
  const reason = `undo of ${operation.kind} ${operation.id.slice(0, 8)}`;
  const { subject } = operation;
  const record = { of: operation.id, kind: operation.kind, ref, sha: after, to: before, by, reason };
  return journaled(
    context,
    { kind: "undo", subject, before: record, undoable: true },
    async () =>
      before === null
        ? deleteRef(context.git, target, { ref, from: after ?? "" })
        : updateRef(context.git, target, { ref, from: after, to: before, reason: "tazuna: undo" }),
    () => ({ ref, sha: before }),
    (trx) => noteUndo(trx, { subject, before: record }),
  );
}

/** The operation that undid it, if that still stands; null if none did, or if that was undone in turn. */
export async function undoneBy(
  context: Uses<"db">,
  { operation }: Pick<RefUndo, "operation">,
): Promise<Operation | null> {
  const all = await operationsOfKinds(context.db.reader, ["undo"], operation.subject.id);
  const last = all.findLast(({ before, status }) => before?.of === operation.id && status === "done");
  return last?.undoable === true ? last : null;
}

function failed({ operation, move }: RefUndo, message: string): Refusal {
  return refuse("failed", "undo_failed", `It could not be undone: ${message}`, {
    remedy: `${move.ref} is as it was. Mend the cause, then try again.`,
    details: { operation: operation.id, ref: move.ref },
  });
}
