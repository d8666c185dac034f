/** Looks at every pull request whose time has come, one at a time for each forge, and acts on it. */
import type { Tracked } from "../../domain/pull-request/tracked.ts";
import { watchedPullRequests } from "../../storage/tables/pull-requests.ts";
import type { Uses } from "../core/context-parts.ts";
import { heldByOthers } from "../core/held-elsewhere.ts";
import { fixByItself } from "./fix-by-itself.ts";
import { letBranchGo } from "./let-branch-go.ts";
import { lookAtPullRequest } from "./look-at-pull-request.ts";
import type { SendContext } from "./send-points.ts";

/** Looks, and lets the agent go on. */
export type FollowContext = SendContext & Uses<"forgeNews">;

/** When the next one is to be looked at; null if none is. */
export async function followPullRequests(context: FollowContext): Promise<string | null> {
  const now = context.clock.iso();
  const watched = await watchedHere(context);
  const due = watched.filter(({ lookAt }) => lookAt !== null && lookAt <= now);
  const forges = [...Map.groupBy(due, ({ apiUrl }) => apiUrl).values()];
  const ended = await Promise.all(forges.map((some) => inTurn(context, some)));
  const left = await watchedHere(context);
  const next = left[0]?.lookAt ?? null;
  if (next === null || ended.every((isGood) => isGood)) return next;
  const later = new Date(context.clock.now().getTime() + AFTER_FAULT_MS).toISOString();
  return next > later ? next : later;
}

/** After a fault of our own; the forge's faults have times of their own. */
const AFTER_FAULT_MS = 60_000;

/** Without those of attempts that lie on another worker: it looks at them. */
async function watchedHere(context: FollowContext): Promise<readonly Tracked[]> {
  const watched = await watchedPullRequests(context.db.reader);
  const others = await heldByOthers(
    context,
    watched.map(({ attemptId }) => attemptId),
  );
  return watched.filter(({ attemptId }) => !others.has(attemptId));
}

/** False after a fault of our own. */
async function inTurn(context: FollowContext, some: readonly Tracked[]): Promise<boolean> {
  let isGood = true;
  for (const { attemptId } of some) {
    if (context.engineStop.aborted) break;
    try {
      const looked = await lookAtPullRequest(context, attemptId);
      if (looked === null) continue;
      await fixByItself(context, looked);
      await letBranchGo(context, looked);
    } catch (error) {
      context.reportFault(`looking at the pull request of attempt ${attemptId}`, error);
      isGood = false;
    }
  }
  return isGood;
}
