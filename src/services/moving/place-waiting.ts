/** Looks at what waits on all workers, and tells the workers that may begin some of it (ADR 0095). */
import { runsFor } from "../../domain/worker/waiting-runs.ts";
import type { Uses } from "../core/context-parts.ts";
import { ownWorker } from "../core/held-elsewhere.ts";
import { type TakingContext, takeWaiting } from "./take-waiting.ts";
import { teamNow } from "./team-now.ts";

export type PlacingContext = TakingContext & Uses<"team" | "dispatcher">;

/** Each worker takes for itself. What is decided here is read from rows, so it may be asked twice, or late. */
export async function placeWaiting(context: PlacingContext): Promise<void> {
  if (ownWorker(context) === null) return;
  const { workers, movable, waitForShared } = await teamNow(context.db.reader);
  // What works elsewhere counts for these limits, and nobody else tells of its end.
  for (const [worker, run] of waitForShared) await tellWorker(context, worker, run);
  for (const worker of workers)
    for (const { id } of runsFor(worker, workers, movable)) await tellWorker(context, worker.id, id);
}

async function tellWorker(context: PlacingContext, worker: string, run: string): Promise<void> {
  if (worker !== context.owner) return context.team().tell(null, worker, { run, attempt: null });
  await takeWaiting(context, run);
  context.dispatcher().poke();
}
