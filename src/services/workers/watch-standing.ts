/** Watches what others said of this worker: that it drains, or works again, or was removed. */
import { standingOf } from "../../storage/team/drains.ts";
import type { Uses } from "../core/context-parts.ts";
import { ownWorker } from "../core/held-elsewhere.ts";

/** So often within the length of a lease the row is read, in case no job tells of a change. */
const LOOKS = 6;

/** `look` reads the row at once. Nothing is read on an SQLite. */
export function watchStanding(
  context: Uses<"db" | "owner" | "timing" | "dispatcher" | "reportFault">,
  onRemoved: () => void,
): { look(): Promise<void>; stop(): void } {
  const own = ownWorker(context);
  if (own === null) return { look: async () => undefined, stop: () => undefined };
  let known = "";
  const look = async () => {
    const { stopsInMs, ...standing } = await standingOf(context.db.reader, own);
    if (standing.isRemoved) return onRemoved();
    const now = JSON.stringify([standing, stopsInMs !== null]);
    if (now !== known) context.dispatcher().poke();
    known = now;
  };
  const timer = setInterval(() => {
    look().catch((error) => context.reportFault("looking at what others said of this worker", error));
  }, context.timing.leaseMs / LOOKS);
  timer.unref();
  return { look, stop: () => clearInterval(timer) };
}
