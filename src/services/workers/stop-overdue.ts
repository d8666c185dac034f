/** Stops what still goes on at this worker when the time limit of its drain is over. */
import { hasBegun } from "../../domain/run/waiting.ts";
import { standingOf, unfinishedOf } from "../../storage/team/drains.ts";
import { ownWorker } from "../core/held-elsewhere.ts";
import { type StopContext, stopRun } from "../requests/stop-run.ts";

/**
 * To be called after each look at the queue. The limit is a row, by the database's clock: an engine that was restarted
 * in between keeps it.
 */
export async function stopOverdue(context: StopContext): Promise<void> {
  const own = ownWorker(context);
  if (own === null) return;
  const { reader } = context.db;
  const { stopsInMs } = await standingOf(reader, own);
  if (stopsInMs === null || stopsInMs > 0) return;
  const runs = (await unfinishedOf(reader, [own])).get(own) ?? [];
  const left = runs.filter((run) => run.stopRequest === null && (hasBegun(run) || run.lease !== null));
  for (const { id } of left) await stopRun(context, id);
}
