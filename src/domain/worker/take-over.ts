/** Decides whether a worker takes over a run whose own worker is lost (ADR 0096). */
import type { Run } from "../run/run.ts";

export type LostRun = Pick<Run, "kind" | "status" | "phase" | "commit" | "stopRequest" | "options">;

/** What the depot has of its attempt. */
export interface CopyOfAttempt {
  /** Null if it has none. */
  readonly sha: string | null;
  /** The depot could not be reached: edits since then lie on the lost worker alone. */
  readonly isBehind: boolean;
}

/** The worker that looks, and what it has for the run. */
export interface Taker {
  /** It takes new runs, and a slot is free. */
  readonly isFree: boolean;
  readonly hasClone: boolean;
  /** It may clone the address first. */
  readonly mayClone: boolean;
  readonly hasAgent: boolean;
  readonly hasLabels: boolean;
  /** A folder lies where the worktree would be made: the attempt was here before. */
  readonly isOccupied: boolean;
}

/**
 * `rebuild`: it is prepared anew, with the files that the depot has. `publish`: its commit is in the depot, and only has
 * to be pushed. `interrupt`: it was lost for the second time. `leave`: it waits for its worker, or for another one.
 */
type TakeOver = "rebuild" | "publish" | "interrupt" | "leave";

/**
 * Edits that lie on the lost worker alone are waited for: they may come back with it. What a person asked to stop is left
 * to it, too, and what has no agent that could begin again.
 */
export function decideTakeOver(run: LostRun, copy: CopyOfAttempt, taker: Taker): TakeOver {
  if (!mayMove(run)) return "leave";
  if (run.options.moved !== undefined) return "interrupt";
  if (!taker.isFree || !taker.hasLabels || taker.isOccupied) return "leave";
  if (!taker.hasClone && !taker.mayClone) return "leave";
  if (copy.isBehind) return "leave";
  const isCommitted = run.status === "PUSHING" && run.commit !== null;
  if (isCommitted && copy.sha === run.commit) return "publish";
  return taker.hasAgent ? "rebuild" : "leave";
}

function mayMove({ kind, stopRequest, phase }: LostRun): boolean {
  return kind === "agent" && stopRequest === null && phase !== "queued";
}

/** What a worker without a clone knows of a lost run. */
interface Uncloned {
  /** It can be cloned from an address. */
  readonly hasAddress: boolean;
  /** Another worker is there that has a clone. */
  readonly isClonedElsewhere: boolean;
  /** For how long the run is lost. */
  readonly lostMs: number;
}

/** Whoever has a clone goes first, for as long as `firstMs`. */
export function mayClone({ hasAddress, isClonedElsewhere, lostMs }: Uncloned, firstMs: number): boolean {
  return hasAddress && (!isClonedElsewhere || lostMs >= firstMs);
}
