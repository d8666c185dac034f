/** Looks at what waits on all workers, and tells the workers that may begin some of it (ADR 0095). */
import { WAIT_FOR_ALL } from "../../domain/worker/waiting-runs.ts";
import { firstToWaitFor } from "../../storage/team/waiting-runs.ts";
import type { Uses } from "../core/context-parts.ts";
import { ownWorker } from "../core/held-elsewhere.ts";
import { type TakingContext, takeWaiting } from "./take-waiting.ts";
import { offersNow } from "./team-now.ts";

export type PlacingContext = TakingContext & Uses<"team" | "dispatcher" | "clock">;

/** Each worker takes for itself. What is decided here is read from rows, so it may be asked twice, or late. */
export async function placeWaiting(context: PlacingContext): Promise<void> {
  if (ownWorker(context) === null) return;
  const { reader } = context.db;
  // What works elsewhere counts for these limits, and nobody else tells of its end.
  const waitForAll = await firstToWaitFor(reader, WAIT_FOR_ALL);
  for (const [worker, run] of waitForAll) await tellWorker(context, worker, run);
  for (const { worker, run } of await offersNow(context)) await tellWorker(context, worker, run);
}

async function tellWorker(context: PlacingContext, worker: string, run: string): Promise<void> {
  if (worker !== context.owner) return context.team().tell(null, worker, { run, attempt: null });
  await takeWaiting(context, run);
  context.dispatcher().poke();
}
