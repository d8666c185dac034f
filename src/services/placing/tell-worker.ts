/** Decides which worker drives what a person asks for. If that is another one, it is told to look (ADR 0084). */
import { assignRuns, otherWorkerOf, runsOfOthers } from "../../storage/queries/rows-of-worker.ts";
import type { WriteTransaction } from "../../storage/schema/schema.ts";
import { workersThere } from "../../storage/team/workers.ts";
import type { Uses } from "../core/context-parts.ts";
import { holderOf, ownWorker } from "../core/held-elsewhere.ts";

export type TeamContext = Uses<"db" | "owner" | "team">;

/**
 * Names the driver of new runs: the worker that holds the attempt's files, if it is there; else this one. Returns those
 * of other workers.
 */
export async function placeRuns(
  context: TeamContext,
  trx: WriteTransaction,
  runIds: readonly string[],
): Promise<readonly string[]> {
  const than = ownWorker(context);
  if (than === null) return [];
  const others = await runsOfOthers(trx, { than, among: runIds });
  const there = others.size === 0 ? new Set<string>() : await workersThere(trx);
  const placed = Map.groupBy(runIds, (id) => {
    const holds = others.get(id)?.holds ?? null;
    return holds !== null && there.has(holds) ? holds : than;
  });
  for (const [worker, ids] of placed) {
    await assignRuns(trx, { ids, worker });
    if (worker !== than)
      for (const run of ids) await context.team().tell(trx, worker, { run, attempt: null });
  }
  return [...placed].flatMap(([worker, ids]) => (worker === than ? [] : ids));
}

/** Tells the workers that drive these runs, or hold their files, that something was asked of them. */
export async function tellDrivers(
  context: TeamContext,
  trx: WriteTransaction,
  runIds: readonly string[],
): Promise<void> {
  const than = ownWorker(context);
  if (than === null || runIds.length === 0) return;
  const others = await runsOfOthers(trx, { than, among: runIds });
  for (const [run, { drives, holds }] of others)
    for (const worker of new Set([drives, holds]))
      if (worker !== null && worker !== than) await context.team().tell(trx, worker, { run, attempt: null });
}

/** Tells the worker that holds the files of an attempt that it was cancelled: it cleans up. */
export async function tellHolder(
  context: TeamContext,
  trx: WriteTransaction,
  attempt: string,
): Promise<void> {
  const than = ownWorker(context);
  const holder = than === null ? null : await otherWorkerOf(trx, { table: "attempts", id: attempt, than });
  if (holder !== null) await context.team().tell(trx, holder, { run: null, attempt });
}

/** Whether the worker of each of these attempts is there, so that it does what is stored for it. */
export async function areThere(context: Uses<"db" | "owner">, attempts: readonly string[]): Promise<boolean> {
  const holders = await Promise.all(attempts.map((attempt) => holderOf(context, attempt)));
  if (holders.every((holder) => holder === null)) return true;
  const there = await workersThere(context.db.reader);
  return holders.every((holder) => holder === null || there.has(holder));
}
