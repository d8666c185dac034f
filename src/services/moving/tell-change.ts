/** Lets somebody look at what waits on all workers if this one has room, or more waits here than before. */
import type { QueuedRun, Schedule } from "../../domain/run/scheduling.ts";
import type { Uses } from "../core/context-parts.ts";

/**
 * To be called after each look at the queue. It asks if a run has ended or left its slot. So it does if one waits that did not, or
 * if one waits for something else. A run that was taken from here, or began here, gives nobody room.
 */
export function createChangeTeller(
  context: Uses<"team" | "dispatcher">,
): (waiting: Schedule["waiting"]) => Promise<void> {
  let worked: ReadonlySet<string> = new Set();
  let waited: ReadonlyMap<string, string> = new Map();
  return async (waiting) => {
    const works = new Set(context.dispatcher().active().map(idOf));
    const waits = new Map(waiting.map(({ run, waits }) => [run.id, waits.reason] as const));
    const isFull = [...waits.values()].includes("parallel");
    const hasEnded = [...worked].some((id) => !works.has(id));
    const waitsAnew = [...waits].some(([id, reason]) => waited.get(id) !== reason);
    // What was about to begin here counted as if it had a slot.
    const hasLeft = [...waited.keys()].some((id) => !waits.has(id) && !works.has(id));
    [worked, waited] = [works, waits];
    if (hasEnded || waitsAnew || (hasLeft && !isFull)) await context.team().placeSoon();
  };
}

function idOf({ id }: QueuedRun): string {
  return id;
}
