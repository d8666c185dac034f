/** Moves a reference back to where it was before an operation, only from where that left it (compare and swap). */
import { err, ok, type Result } from "neverthrow";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import type { Operation } from "../../domain/operation.ts";
import type { Repository } from "../../domain/repository/repository.ts";
import type { RefMove } from "../../domain/undo/ref-move.ts";
import { deleteRef, readRef, updateRef } from "../../git/refs.ts";
import { operationsOfKinds } from "../../storage/find-operations.ts";
import { noteUndone } from "../../storage/operations.ts";
import type { ServiceContext } from "../context.ts";
import { journaled } from "../journal.ts";
import { refuse } from "../refusal.ts";
import type { Refusal } from "../services.ts";
import { keepSnapshot } from "../worktrees/keep-snapshot.ts";
import { repositoryTarget } from "../worktrees/targets.ts";
import { refuseMove } from "./refuse-move.ts";

interface Of {
  readonly operation: Operation;
  readonly move: RefMove;
  readonly attempt: Attempt;
  readonly repository: Repository;
}

/** Under the attempt's lock. No file of any worktree is touched. */
export async function moveRefBack(context: ServiceContext, of: Of): Promise<Result<Operation, Refusal>> {
  const before = await undoneBy(context, of);
  if (before !== null) return ok(before);
  const refusal = await refuseMove(context, of);
  if (refusal !== null) return err(refusal);
  const kept = await keepAfter(context, of);
  if (kept.isErr()) return err(failed(of, kept.error.message));
  const moved = await context.locks.shared(of.repository.commonDir, () => moveJournaled(context, of));
  if (moved.isErr()) return err(failed(of, moved.error.message));
  const undone = await undoneBy(context, of);
  return undone === null ? err(failed(of, "the journal does not know of it")) : ok(undone);
}

/** Commits that the reference alone may hold are kept before it lets them go. */
async function keepAfter(
  context: ServiceContext,
  { move, attempt, repository }: Of,
): Promise<Result<void, { readonly message: string }>> {
  if (move.after === null) return ok(undefined);
  const target = repositoryTarget(repository);
  const commit = await readRef(context.git, target, `${move.after}^{commit}`);
  if (commit.isErr()) return err(commit.error);
  if (commit.value === null) return err({ message: `${move.ref} is not at a commit` });
  const wish = { attemptId: attempt.id, runId: null, target, reason: "undo", commit: commit.value };
  return (await keepSnapshot(context, wish)).map(() => undefined);
}

function moveJournaled(context: ServiceContext, { operation, move, repository }: Of) {
  const { ref, before, after } = move;
  const target = repositoryTarget(repository);
  return journaled(
    context,
    {
      kind: "undo",
      subject: operation.subject,
      before: { of: operation.id, kind: operation.kind, ref, sha: after, to: before },
      undoable: true,
    },
    async () =>
      before === null
        ? deleteRef(context.git, target, { ref, from: after ?? "" })
        : updateRef(context.git, target, { ref, from: after, to: before, reason: "tazuna: undo" }),
    () => ({ ref, sha: before }),
    (trx) => noteUndone(trx, operation.id),
  );
}

/** What undid it, where that stands; null where nobody did, or where that was undone in turn. */
async function undoneBy(context: ServiceContext, { operation }: Of): Promise<Operation | null> {
  const all = await operationsOfKinds(context.db.reader, ["undo"], operation.subject.id);
  const last = all.findLast(({ before, status }) => before?.of === operation.id && status === "done");
  return last?.undoable === true ? last : null;
}

function failed({ operation, move }: Of, message: string): Refusal {
  return refuse("failed", "undo_failed", `It could not be undone: ${message}`, {
    remedy: `${move.ref} is as it was. See to the cause, then try again.`,
    details: { operation: operation.id, ref: move.ref },
  });
}
