/** Decides whether failed checks and review comments become a follow-up by themselves. */
import { newPoints, type OpenPoints } from "./open-points.ts";
import type { Tracked } from "./tracked.ts";

interface LoopFacts {
  /** `forge.fix_loop`. */
  readonly enabled: boolean;
  readonly attempts: number;
  readonly tracked: Pick<Tracked, "state" | "head" | "checks" | "threads" | "handed">;
  readonly attempt: {
    readonly open: boolean;
    /** In the order in which they work: every run that the attempt has. */
    readonly runs: readonly {
      readonly id: string;
      readonly ended: boolean;
      readonly stopped: boolean;
      /** A person took it out of the queue before it began. */
      readonly removed: boolean;
    }[];
  };
}

export type LoopVerdict =
  | { readonly act: true; readonly points: OpenPoints /** Counts from 1. */; readonly round: number }
  | { readonly act: false; readonly why: LoopRest };

/** Why it does nothing now. */
type LoopRest = "off" | "not_open" | "busy" | "stopped" | "checks_pending" | "nothing_new" | "cap_reached";

/**
 * The same commit with the same failed checks is sent once, and so is each comment. The cap counts since the last run
 * that a person asked for. What a person stopped stays stopped until they ask for a run.
 */
export function decideLoop({ enabled, attempts, tracked, attempt }: LoopFacts): LoopVerdict {
  const rest = (why: LoopRest) => ({ act: false, why }) as const;
  if (!enabled || attempts === 0) return rest("off");
  if (tracked.state !== "open" || !attempt.open) return rest("not_open");
  const last = attempt.runs.at(-1);
  if (last === undefined || attempt.runs.some(({ ended }) => !ended)) return rest("busy");
  if (last.stopped) return rest("stopped");
  if (tracked.checks.some(({ state }) => state === "pending")) return rest("checks_pending");
  const removed = new Set(attempt.runs.flatMap((run) => (run.removed ? [run.id] : [])));
  const points = newPoints(tracked, removed);
  if (points.threads.length + points.checks.length === 0) return rest("nothing_new");
  const round = roundsSincePerson(tracked, attempt.runs) + 1;
  return round > attempts ? rest("cap_reached") : { act: true, points, round };
}

/** How many runs of the loop came after the last run that a person asked for. */
function roundsSincePerson(
  { handed }: Pick<Tracked, "handed">,
  runs: readonly { readonly id: string }[],
): number {
  const byLoop = new Set(handed.filter(({ by }) => by === "loop").map(({ run }) => run));
  const last = runs.findLastIndex(({ id }) => !byLoop.has(id));
  return runs.length - 1 - last;
}
