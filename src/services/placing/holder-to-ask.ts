/** Finds the worker that has to answer a call, because what the call names lies on its disk (ADR 0087). */
import { isAbsolute } from "node:path";
import type { HeldThing } from "../../domain/worker/asked.ts";
import { operationsByPrefix } from "../../storage/queries/find-operations.ts";
import { otherWorkerOf } from "../../storage/queries/rows-of-worker.ts";
import type { OfWorker } from "../../storage/schema/owned-by.ts";
import { getRun } from "../../storage/tables/runs.ts";
import { getTask } from "../../storage/tables/tasks.ts";
import { isSentWhole } from "../../storage/team/log-chunks.ts";
import { isPacked } from "../../storage/team/log-packs.ts";
import { workersThere } from "../../storage/team/workers.ts";
import type { Uses } from "../core/context-parts.ts";
import { findPlace } from "../core/find-place.ts";
import { nameOfWorker, ownWorker } from "../core/held-elsewhere.ts";
import type { OtherWorker } from "../core/screen-shapes.ts";
import { namedAnywhere } from "../repositories/named-repository.ts";
import { findTrashed } from "../trash/trash-entries.ts";

/** Null if this worker answers: the files are here or nowhere, nobody is there to ask, or the id means nothing. */
export async function holderToAsk(
  context: Uses<"db" | "owner" | "objectKeys">,
  thing: HeldThing,
  id: string,
): Promise<OtherWorker | null> {
  const than = ownWorker(context);
  if (than === null) return null;
  const row = await rowOf(context, thing, id);
  const holder = row === null ? null : await holderOfRow(context, row, than);
  if (holder === null || !(await workersThere(context.db.reader)).has(holder)) return null;
  if (thing === "log" && (await isReadHere(context, { runId: id, workerId: holder }))) return null;
  return { id: holder, name: await nameOfWorker(context, holder) };
}

/** What was sent as a whole is (ADR 0094). If it lies in object storage, the keys are needed too (ADR 0103). */
async function isReadHere(
  { db, objectKeys }: Uses<"db" | "objectKeys">,
  series: { readonly runId: string; readonly workerId: string },
): Promise<boolean> {
  if (!(await isSentWhole(db.reader, series))) return false;
  return objectKeys !== null || !(await isPacked(db.reader, series.runId));
}

interface HeldRow {
  readonly table: OfWorker;
  readonly id: string;
  /** The attempt whose worktree is needed, too. */
  readonly with?: string;
}

/** If the attempt's worktree lies with one worker and its clone with another, it is not clear whom to ask. */
async function holderOfRow({ db }: Uses<"db">, row: HeldRow, than: string): Promise<string | null> {
  const holder = await otherWorkerOf(db.reader, { ...row, than });
  if (holder === null || row.with === undefined) return holder;
  // Also if it is this worker that holds the worktree.
  const other = await otherWorkerOf(db.reader, { table: "attempts", id: row.with, than: holder });
  return other === null ? holder : null;
}

async function rowOf(context: Uses<"db" | "owner">, thing: HeldThing, id: string): Promise<HeldRow | null> {
  const { reader } = context.db;
  switch (thing) {
    case "attempt":
      return { table: "attempts", id };
    case "log":
      return { table: "runs", id };
    case "run": {
      const run = await getRun(reader, id);
      return run && { table: "attempts", id: run.attemptId };
    }
    case "operation": {
      const [operation, ...others] = await operationsByPrefix(reader, id);
      // A choice lies in the database alone.
      const isHeld = operation !== undefined && others.length === 0 && operation.kind !== "choose";
      return isHeld ? { table: "operations", id: operation.id } : null;
    }
    case "trashed": {
      const entry = await findTrashed(context, id);
      return entry.isOk() ? { table: "operations", id: entry.value.id } : null;
    }
    case "named_repository":
    case "repository": {
      // A folder is one of this machine.
      if (isAbsolute(id)) return null;
      const named = await namedAnywhere(context, id);
      return named.isOk() ? { table: "repositories", id: named.value.id } : null;
    }
    case "task_repository": {
      const task = await getTask(reader, id);
      return task && { table: "repositories", id: task.repositoryId };
    }
    case "attempt_repository":
      return cloneOf(context, id);
    case "run_repository": {
      const run = await getRun(reader, id);
      return run && cloneOf(context, run.attemptId);
    }
  }
}

async function cloneOf({ db }: Uses<"db">, attemptId: string): Promise<HeldRow | null> {
  const place = await findPlace(db.reader, attemptId);
  return place && { table: "repositories", id: place.repository.id, with: attemptId };
}
