/** Declares what decides which run executes next, and in which place. */
import type { QueuedRun } from "../domain/run/scheduling.ts";

export interface Dispatcher {
  /** Something may have changed (a run was queued or ended, a limit was lifted): check the queue again. */
  poke(): void;
  /** Runs that hold a slot now. */
  active(): readonly QueuedRun[];
  /** A run that has ended returns its slot, although its clean-up goes on. */
  releaseSlot(runId: string): void;
  /** Starts no more runs; resolves when the started ones have settled. */
  stop(): Promise<void>;
}
