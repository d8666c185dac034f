/** Tells whether an engine has nothing to do, so that one in the background may end. */
import type { Dispatcher } from "../../dispatch/dispatcher.ts";
import type { Uses } from "../../services/core/context-parts.ts";
import { intendedOperations } from "../../storage/tables/operations.ts";
import { watchedPullRequests } from "../../storage/tables/pull-requests.ts";
import { unfinishedRuns } from "../../storage/tables/runs.ts";

export async function isIdle(
  { db, unexaminedOperations, baseChecks }: Uses<"db" | "unexaminedOperations" | "baseChecks">,
  dispatcher: Dispatcher,
): Promise<boolean> {
  const acts = await intendedOperations(db.reader);
  if (acts.some(({ id, kind }) => kind === "clone" && !unexaminedOperations.has(id))) return false;
  if (baseChecks.size > 0) return false;
  const unfinished = await unfinishedRuns(db.reader);
  const watched = await watchedPullRequests(db.reader);
  if (watched.some(({ wanted }) => wanted !== null)) return false;
  return dispatcher.active().length === 0 && unfinished.every((run) => run.held);
}
