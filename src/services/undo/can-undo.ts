/** Says of operations whether an undo would be possible now, so that only those are offered. */

import type { Operation } from "../../domain/operation.ts";
import { refMoveOf } from "../../domain/undo/ref-move.ts";
import { refuseBusy, restoreUndoneBy } from "../attempts/restore-run.ts";
import type { Uses } from "../core/context-parts.ts";
import { type AttemptInRepository, type AttemptPlace, findPlaceHere } from "../core/find-place.ts";
import { loadRepositoryGit } from "../core/repository-git.ts";
import { refuseEntry } from "../restore/restore-entry.ts";
import { trashedWorktrees } from "../trash/trash-entries.ts";
import { undoneBy } from "./move-ref-back.ts";
import { refuseMove } from "./refuse-move.ts";
import { queryOnce, type RepositoryQueries } from "./repository-queries.ts";
import { choiceHolds } from "./undo-choice.ts";
import { attemptOf, refuseOthers } from "./undo-operation.ts";

/** The operations of a page, each in its current state. Asks git twice for each repository. */
export async function withUndoable(
  context: Uses<"db" | "owner" | "git" | "paths" | "configuration">,
  operations: readonly Operation[],
): Promise<readonly Operation[]> {
  const loaded = new Map<string, Promise<LoadedPlace>>();
  const shown: Operation[] = [];
  for (const operation of operations)
    shown.push({ ...operation, undoable: await canUndo(context, { operation, loaded }) });
  return shown;
}

interface LoadedPlace {
  readonly context: Uses<"db" | "git">;
  readonly repository: RepositoryQueries;
}

async function canUndo(
  engine: Uses<"db" | "owner" | "git" | "paths" | "configuration">,
  {
    operation,
    loaded,
  }: { readonly operation: Operation; readonly loaded: Map<string, Promise<LoadedPlace>> },
): Promise<boolean> {
  if (operation.status !== "done") return false;
  const { kind } = operation;
  if (kind === "choose") return choiceHolds(engine, operation);
  const move = refMoveOf(operation);
  if (kind !== "trash" && kind !== "run_restore" && (move === null || move.ref === "refs/stash"))
    return false;
  const attemptId = await attemptOf(engine, operation);
  if (attemptId === null || (await refuseOthers(engine, operation)) !== null) return false;
  const place = await findPlaceHere(engine, attemptId);
  if (place.isErr()) return false;
  if (kind === "trash") return canRestore(engine, operation, place.value);
  const { attempt, repository } = place.value;
  const load = loaded.get(repository.id) ?? loadPlace(engine, place.value);
  loaded.set(repository.id, load);
  const { context, repository: asked } = await load;
  if (kind === "run_restore")
    return (
      (await restoreUndoneBy(context, operation)) === null && (await refuseBusy(context, attempt)) === null
    );
  if (move === null || (await undoneBy(context, { operation })) !== null) return false;
  return (await refuseMove(context, { operation, move, attempt, repository }, asked)) === null;
}

async function canRestore(
  context: Uses<"db" | "git" | "paths">,
  operation: Operation,
  place: AttemptInRepository,
): Promise<boolean> {
  const entry = (await trashedWorktrees(context, place.attempt.id)).find(({ id }) => id === operation.id);
  return entry !== undefined && (await refuseEntry(context, { ...place, entry })) === null;
}

async function loadPlace(
  engine: Uses<"db" | "git" | "configuration">,
  place: AttemptPlace,
): Promise<LoadedPlace> {
  const context = await loadRepositoryGit(engine, place);
  return { context, repository: queryOnce(context, place.repository) };
}
