/** Says of operations whether an undo would be possible now, so that only those are offered. */

import type { Attempt } from "../../domain/attempt/attempt.ts";
import type { Operation } from "../../domain/operation.ts";
import type { Repository } from "../../domain/repository/repository.ts";
import { refMoveOf } from "../../domain/undo/ref-move.ts";
import { refuseBusy, restoreUndoneBy } from "../attempts/restore-run.ts";
import type { ServiceContext } from "../core/context.ts";
import { findPlace } from "../core/find-place.ts";
import { loadRepositoryGit } from "../core/repository-git.ts";
import { refuseEntry } from "../restore/restore-entry.ts";
import { trashedWorktrees } from "../trash/trash-entries.ts";
import { undoneBy } from "./move-ref-back.ts";
import { refuseMove } from "./refuse-move.ts";
import { queryOnce, type RepositoryQueries } from "./repository-queries.ts";
import { attemptOf } from "./undo-operation.ts";

/** The operations of a page, each in its current state. Asks git twice for each repository. */
export async function withUndoable(
  context: Pick<ServiceContext, "db" | "git" | "paths" | "configuration">,
  operations: readonly Operation[],
): Promise<readonly Operation[]> {
  const loaded = new Map<string, Promise<LoadedPlace>>();
  const shown: Operation[] = [];
  for (const operation of operations)
    shown.push({ ...operation, undoable: await canUndo(context, { operation, loaded }) });
  return shown;
}

interface LoadedPlace {
  readonly context: Pick<ServiceContext, "db" | "git">;
  readonly repository: RepositoryQueries;
}

async function canUndo(
  engine: Pick<ServiceContext, "db" | "git" | "paths" | "configuration">,
  {
    operation,
    loaded,
  }: { readonly operation: Operation; readonly loaded: Map<string, Promise<LoadedPlace>> },
): Promise<boolean> {
  if (operation.status !== "done") return false;
  const { kind } = operation;
  const move = refMoveOf(operation);
  if (kind !== "trash" && kind !== "run_restore" && (move === null || move.ref === "refs/stash"))
    return false;
  const place = await placeOf(engine, operation);
  if (place === null) return false;
  const { attempt, repository } = place;
  if (kind === "trash") return canRestore(engine, { operation, attempt, repository });
  const load = loaded.get(repository.id) ?? place.load();
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
  context: Pick<ServiceContext, "db" | "git" | "paths">,
  { operation, attempt, repository }: Omit<Place, "load"> & { readonly operation: Operation },
): Promise<boolean> {
  const entry = (await trashedWorktrees(context, attempt.id)).find(({ id }) => id === operation.id);
  return entry !== undefined && (await refuseEntry(context, { attempt, repository, entry })) === null;
}

interface Place {
  readonly attempt: Attempt;
  readonly repository: Repository;
  readonly load: () => Promise<LoadedPlace>;
}

async function placeOf(
  engine: Pick<ServiceContext, "db" | "git" | "configuration">,
  operation: Operation,
): Promise<Place | null> {
  const id = await attemptOf(engine, operation);
  const place = id === null ? null : await findPlace(engine.db.reader, id);
  if (place === null) return null;
  const { attempt, task, repository } = place;
  const load = async () => {
    const context = await loadRepositoryGit(engine, { repository, settings: task.settings });
    return { context, repository: queryOnce(context, repository) };
  };
  return { attempt, repository, load };
}
