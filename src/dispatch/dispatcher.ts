/** Declares who decides which run executes next, and where. */
import type { QueuedRun } from "../domain/run/scheduling.ts";

export interface Dispatcher {
  /** Something may have changed (a run was queued or ended, a limit was lifted): look at the queue again. */
  poke(): void;
  /** Runs that hold a slot now. */
  active(): readonly QueuedRun[];
  /** A run that waits for its provider gives its slot back; it is queued again by `execute` being called anew. */
  releaseSlot(runId: string): void;
  /** Begins nothing more; resolves when what it had begun has settled. */
  stop(): Promise<void>;
}
