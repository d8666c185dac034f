/** Undoes one operation of the journal, as far as what it did still stands as it left it. */
import { err, ok, type Result } from "neverthrow";
import type { Operation } from "../../domain/operation.ts";
import { whyNoUndo } from "../../domain/undo/no-undo.ts";
import { refMoveOf } from "../../domain/undo/ref-move.ts";
import { getAttempt } from "../../storage/attempts.ts";
import { operationsOfKinds } from "../../storage/find-operations.ts";
import { getRepository } from "../../storage/repositories.ts";
import { getRun } from "../../storage/runs.ts";
import { getTask } from "../../storage/tasks.ts";
import { undoRestore } from "../attempts/restore-run.ts";
import { heldToLimitOf } from "../configuration/git-limit.ts";
import type { ServiceContext } from "../context.ts";
import { notFound, refuse } from "../refusal.ts";
import type { Refusal } from "../services.ts";
import { restoreEntry } from "../trash/restore-entry.ts";
import { findOperation } from "./find-operation.ts";
import { moveRefBack } from "./move-ref-back.ts";

/** The operation that undid it; asked again, the same one. */
export async function undoOperation(
  context: ServiceContext,
  idOrPrefix: string,
): Promise<Result<Operation, Refusal>> {
  const found = await findOperation(context, idOrPrefix);
  if (found.isErr()) return err(found.error);
  const operation = found.value;
  if (operation.kind === "trash") return undoTrash(context, operation);
  if (operation.kind === "run_restore" && operation.status === "done") return undoRestore(context, operation);
  const attemptId = await attemptOf(context, operation);
  const move = operation.status === "done" ? refMoveOf(operation) : null;
  if (move === null || attemptId === null || move.ref === "refs/stash") return err(notUndoable(operation));
  return context.attemptLock.run(attemptId, async () => {
    const { reader } = context.db;
    const attempt = await getAttempt(reader, attemptId);
    const task = attempt && (await getTask(reader, attempt.taskId));
    const repository = task && (await getRepository(reader, task.repositoryId));
    if (!attempt || !task || !repository) return err(notFound("attempt", attemptId));
    const held = await heldToLimitOf(context, { repository, settings: task.settings });
    return moveRefBack(held, { operation, move, attempt, repository });
  });
}

async function undoTrash(
  context: ServiceContext,
  { id, subject }: Operation,
): Promise<Result<Operation, Refusal>> {
  const restored = await restoreEntry(context, id);
  if (restored.isErr()) return err(restored.error);
  const restores = await operationsOfKinds(context.db.reader, ["trash_restore"], subject.id);
  const undone = restores.findLast(({ before, status }) => before?.entry === id && status === "done");
  return undone === undefined ? err(notFound("operation", id)) : ok(undone);
}

async function attemptOf(context: ServiceContext, { subject }: Operation): Promise<string | null> {
  if (subject.type === "attempt") return subject.id;
  if (subject.type !== "run") return null;
  return (await getRun(context.db.reader, subject.id))?.attemptId ?? null;
}

function notUndoable({ id, kind, status, before }: Operation): Refusal {
  const details = { operation: id, kind, status };
  if (before?.ref === "refs/stash")
    return refuse("conflict", "not_undoable", "The stash is a list that git keeps by itself.", {
      remedy: "`git stash list` and `git reflog show refs/stash` show what it held.",
      details,
    });
  if (status !== "done")
    return refuse("conflict", "not_undoable", `The operation did not come to an end (${status}).`, {
      remedy: "`tazuna activity` shows what was done instead.",
      details,
    });
  const { why, instead } = whyNoUndo(kind);
  return refuse("conflict", "not_undoable", why, { remedy: instead, details });
}
