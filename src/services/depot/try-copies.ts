/** Tries to copy attempts into the depot: one try of each at a time, and after a failure only at growing intervals. */
import { withCheckBefore } from "../../git/runner/git-variants.ts";
import { EngineStopping } from "../core/context.ts";
import type { Uses } from "../core/context-parts.ts";
import { type HeldRun, type ProtectContext, protectAttempt } from "./protect-attempt.ts";

export type TryContext = ProtectContext & Uses<"fence" | "timing" | "reportFault">;

/** A depot that is away is asked at growing intervals, up to so many times the usual one. */
const MAX_PAUSE = 6;

export interface CopyTries {
  /** Unless a copy of the attempt was begun or waits for its turn, or the pause after a failure lasts. */
  isDue(attempt: string): boolean;
  /** How often it failed in succession. */
  failures(attempt: string): number;
  /** Does nothing while that pause lasts. Throws nothing. */
  begin(attempt: string, run: HeldRun, asked?: boolean): Promise<void>;
  ended(): Promise<unknown>;
}

export function createCopyTries(context: TryContext): CopyTries {
  /** By attempt: the last copy that was begun or waits for its turn. */
  const busy = new Map<string, Promise<void>>();
  const failed = new Map<string, { readonly times: number; readonly until: number }>();
  const note = (attempt: string, isOver: boolean) => {
    if (isOver) return failed.delete(attempt);
    const times = (failed.get(attempt)?.times ?? 0) + 1;
    const pause = context.timing.depotMs * Math.min(2 ** (times - 1) - 0.5, MAX_PAUSE);
    return failed.set(attempt, { times, until: performance.now() + pause });
  };
  const rests = (attempt: string) => (failed.get(attempt)?.until ?? 0) > performance.now();
  return {
    isDue: (attempt) => !busy.has(attempt) && !rests(attempt),
    failures: (attempt) => failed.get(attempt)?.times ?? 0,
    begin: (attempt, lease, asked = false) => {
      if (rests(attempt)) return Promise.resolve();
      const work = protectAttempt(fenced(context, lease), attempt, { lease, asked })
        .then((came) => void note(attempt, came !== "unprotected"))
        .catch((error) => {
          // What a run edits is worth the next look. What lies at rest may throw for good.
          if (lease === null) note(attempt, false);
          context.reportFault("copying an attempt into the depot", error);
        })
        .finally(() => {
          if (busy.get(attempt) === work) busy.delete(attempt);
        });
      busy.set(attempt, work);
      return work;
    },
    ended: () => Promise.all(busy.values()),
  };
}

/** The same context, whose git is not started once another worker may have the run (ADR 0093). */
function fenced(context: TryContext, lease: HeldRun): ProtectContext {
  if (lease === null) return context;
  const git = withCheckBefore(context.git, () => {
    if (context.fence.isOver(lease.id)) throw new EngineStopping();
  });
  return { ...context, git };
}
