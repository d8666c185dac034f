/** Lets somebody look at what waits on all workers if the slots or the queue of this one have changed. */
import type { QueuedRun, Schedule } from "../../domain/run/scheduling.ts";
import type { Uses } from "../core/context-parts.ts";

/** To be called after each look at the queue. A look without changes asks for nothing. */
export function createChangeTeller(
  context: Uses<"team" | "dispatcher">,
): (waiting: Schedule["waiting"]) => Promise<void> {
  let told = "";
  return async (waiting) => {
    const works = context.dispatcher().active().map(idOf);
    const now = JSON.stringify([works, waiting.map(({ run, waits }) => [idOf(run), waits.reason])]);
    if (now === told) return;
    told = now;
    await context.team().placeSoon();
  };
}

function idOf({ id }: QueuedRun): string {
  return id;
}
