/** Decides what a person may change in the queue of an attempt: words, places, and which runs leave it (ADR 0061). */
import { err, ok, type Result } from "neverthrow";
import type { Run, RunNote } from "./run.ts";

/** In the order in which they begin. */
type Queue<R> = readonly R[];
type Place = Pick<Run, "id" | "number" | "held">;
type Stage = Pick<Run, "status" | "phase" | "stopRequest" | "lease">;

/** Whether a run waits in its queue: nobody begins it now, and nobody ends it. */
export function isQueued({ status, phase, stopRequest, lease }: Stage): boolean {
  return status === "PENDING" && phase === "queued" && stopRequest === null && lease === null;
}

/** The queue of an attempt. `runs` are all of it, in the order in which they work. */
export function queueOf<R extends Stage>(runs: readonly R[]): Queue<R> {
  return runs.filter(isQueued);
}

/** The run that is to begin next; null if every one is held. */
export function nextInQueue<R extends Place>(queue: Queue<R>): R | null {
  return queue.find(({ held }) => !held) ?? null;
}

/** Held runs stand behind the others, since they let them pass. */
export function heldLast<R extends Place>(queue: Queue<R>): Queue<R> {
  return [...queue.filter(({ held }) => !held), ...queue.filter(({ held }) => held)];
}

/** The places that a run may take, both counted from 1; it stands alone if they are the same. */
interface PlacesFor {
  readonly from: number;
  readonly to: number;
}

/** The queue with the run at that place. The first run of an attempt stays first, and held runs stay behind the others. */
export function movedTo<R extends Place>(
  queue: Queue<R>,
  run: R,
  position: number,
): Result<Queue<R>, PlacesFor> {
  const places = placesFor(queue, run);
  if (position < places.from || position > places.to) return err(places);
  const others = queue.filter(({ id }) => id !== run.id);
  return ok(others.toSpliced(position - 1, 0, run));
}

function placesFor<R extends Place>(queue: Queue<R>, run: R): PlacesFor {
  if (beginsAttempt(run)) return { from: 1, to: 1 };
  const notHeld = queue.filter(({ held }) => !held).length;
  if (run.held) return { from: notHeld + 1, to: queue.length };
  return { from: queue.some(beginsAttempt) ? 2 : 1, to: notHeld };
}

/** Whether it is the run that the attempt was made for: to remove it is to cancel the attempt. */
export function beginsAttempt({ number }: Pick<Run, "number">): boolean {
  return number === 1;
}

/** Why a run in the queue has no words that could be changed: they are the task's, or nobody reads them. */
export type FixedWords = "task" | "only_publishes" | "only_resolves";

export function fixedWords(run: Pick<Run, "number" | "kind" | "options">): FixedWords | null {
  if (beginsAttempt(run)) return "task";
  if (run.kind === "publish" || run.options.allowance !== undefined) return "only_publishes";
  return run.options.resolve === "only" ? "only_resolves" : null;
}

/** A run's part that holds its words. What was sent along with them (comments, failed checks) stays behind them. */
export function withWords(
  { kind, instruction, options }: Pick<Run, "kind" | "instruction" | "options">,
  words: string,
) {
  if (kind === "commit") return { instruction: words, options: { ...options, message: words } };
  const { ownLength } = options;
  if (ownLength === undefined) return { instruction: words, options };
  return {
    instruction: `${words}${instruction.slice(ownLength)}`,
    options: { ...options, ownLength: words.length },
  };
}

const REMOVED = "removed_from_queue";

/** The note of a run that a person took out of the queue. */
export const REMOVED_NOTE: RunNote = {
  code: REMOVED,
  message: "It was removed from the queue before it began.",
  details: {},
};

/** Whether a person took it out of the queue: what was sent with it counts as not sent. */
export function wasRemoved({ notes }: Pick<Run, "notes">): boolean {
  return notes.some(({ code }) => code === REMOVED);
}
