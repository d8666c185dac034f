/** Undoes one operation of the journal, as far as its result still stands unchanged. */

import { err, ok, type Result } from "neverthrow";
import type { Operation } from "../../domain/operation.ts";
import { whyNoUndo } from "../../domain/undo/no-undo.ts";
import { refMoveOf } from "../../domain/undo/ref-move.ts";
import { operationsByPrefix, operationsOfKinds } from "../../storage/queries/find-operations.ts";
import { getRun } from "../../storage/tables/runs.ts";
import { undoRestore } from "../attempts/restore-run.ts";
import type { Uses, WorktreeContext } from "../core/context-parts.ts";
import { findPlaceHere } from "../core/find-place.ts";
import { refuseOthersAct } from "../core/held-elsewhere.ts";
import { ambiguousPrefix, notFound, type Refusal, refuse, refused, shortId } from "../core/refusal.ts";
import { loadRepositoryGit } from "../core/repository-git.ts";
import { restoreEntry } from "../restore/restore-entry.ts";
import { moveRefBack } from "./move-ref-back.ts";
import { undoChoice } from "./undo-choice.ts";

/** The operation that undid it; a repeated call answers with the same one. */
export async function undoOperation(
  context: WorktreeContext & Uses<"attemptLock" | "configuration">,
  idOrPrefix: string,
): Promise<Result<Operation, Refusal>> {
  const found = await findOperation(context, idOrPrefix);
  if (found.isErr()) return err(found.error);
  const operation = found.value;
  const others = await refuseOthers(context, operation);
  if (others !== null) return err(others);
  if (operation.kind === "trash") return undoTrash(context, operation);
  if (operation.kind === "run_restore" && operation.status === "done") return undoRestore(context, operation);
  if (operation.kind === "choose" && operation.status === "done") return undoChoice(context, operation);
  const attemptId = await attemptOf(context, operation);
  const move = operation.status === "done" ? refMoveOf(operation) : null;
  if (move === null || attemptId === null || move.ref === "refs/stash")
    return err(notUndoable(operation, attemptId));
  return context.attemptLock.run(attemptId, async () => {
    const place = await findPlaceHere(context, attemptId);
    if (place.isErr()) return err(place.error);
    const engine = await loadRepositoryGit(context, place.value);
    return moveRefBack(engine, { ...place.value, operation, move });
  });
}

/** What another data folder did is taken back there. A choice lies in the database alone. */
export async function refuseOthers(
  context: Uses<"db" | "owner">,
  operation: Operation,
): Promise<Refusal | null> {
  if (operation.kind === "choose") return null;
  return refuseOthersAct(context, { id: operation.id, attemptId: await attemptOf(context, operation) });
}

async function undoTrash(
  context: WorktreeContext & Uses<"attemptLock" | "configuration">,
  { id, subject }: Operation,
): Promise<Result<Operation, Refusal>> {
  const restored = await restoreEntry(context, id);
  if (restored.isErr()) return err(restored.error);
  const restores = await operationsOfKinds(context.db.reader, ["trash_restore"], subject.id);
  const undone = restores.findLast(({ before, status }) => before?.entry === id && status === "done");
  return undone === undefined ? err(notFound("operation", id)) : ok(undone);
}

/** The attempt that an operation is about; null if it is about something else. */
export async function attemptOf(context: Uses<"db">, { subject }: Operation): Promise<string | null> {
  if (subject.type === "attempt") return subject.id;
  if (subject.type !== "run") return null;
  return (await getRun(context.db.reader, subject.id))?.attemptId ?? null;
}

function notUndoable({ id, kind, status, before }: Operation, attemptId: string | null): Refusal {
  const details = { operation: id, kind, status };
  if (before?.ref === "refs/stash")
    return refuse("conflict", "not_undoable", "The stash is a list that git keeps by itself.", {
      remedy: "`git stash list` and `git reflog show refs/stash` show what it held.",
      details,
    });
  if (status !== "done")
    return refuse("conflict", "not_undoable", `The operation did not finish (${status}).`, {
      remedy: "`tazuna activity` shows what was done instead.",
      details,
    });
  const { why, instead } = whyNoUndo(kind);
  const remedy = instead.replaceAll("{attempt}", attemptId === null ? "ATTEMPT" : shortId(attemptId));
  return refuse("conflict", "not_undoable", why, { remedy, details });
}

/** Finds the one operation that an id or a prefix of one means. */
async function findOperation(context: Uses<"db">, prefix: string): Promise<Result<Operation, Refusal>> {
  const [first, ...others] = await operationsByPrefix(context.db.reader, prefix);
  if (first === undefined)
    return refused("not_found", "not_found", `No operation has the id "${prefix}".`, {
      remedy: "`tazuna activity` shows the ids; any unique prefix will do.",
      details: { id: prefix },
    });
  if (others.length === 0) return ok(first);
  return err(
    ambiguousPrefix(prefix, {
      command: "tazuna activity",
      id: first.id,
      candidates: [first, ...others].map(({ id, kind }) => ({ id, kind })),
    }),
  );
}
