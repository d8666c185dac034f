/** Tells whether an engine has nothing to do, so that one in the background may end. */
import type { Dispatcher } from "../../dispatch/dispatcher.ts";
import type { Uses } from "../../services/core/context-parts.ts";
import { leftToOthers, ownWorker } from "../../services/core/held-elsewhere.ts";
import { intendedOperations } from "../../storage/tables/operations.ts";
import { watchedPullRequests } from "../../storage/tables/pull-requests.ts";
import { unfinishedRuns } from "../../storage/tables/runs.ts";

export async function isIdle(
  context: Uses<"db" | "owner" | "unexaminedOperations" | "baseChecks">,
  dispatcher: Dispatcher,
): Promise<boolean> {
  const { db, unexaminedOperations, baseChecks } = context;
  const acts = await intendedOperations(db.reader, ownWorker(context));
  if (acts.some(({ id, kind }) => kind === "clone" && !unexaminedOperations.has(id))) return false;
  if (baseChecks.size > 0) return false;
  const unfinished = await unfinishedRuns(db.reader);
  const watched = await watchedPullRequests(db.reader);
  if (watched.some(({ wanted }) => wanted !== null)) return false;
  const others = await leftToOthers(context, unfinished);
  return dispatcher.active().length === 0 && unfinished.every((run) => run.held || others.has(run.id));
}
