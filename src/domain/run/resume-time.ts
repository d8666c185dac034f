/** Decides when an agent whose failure may pass is started again. */
import type { AgentFailure } from "../agent/events.ts";

export interface PauseFacts {
  readonly now: Date;
  /** Milliseconds that are due after as many restarts. */
  readonly pauseMs: number;
  /** How often the run's agent was started again already. */
  readonly restarts: number;
}

/**
 * UTC ISO time. A limit is over when its provider says so, but not before the pause is, for clocks differ. What passes sooner
 * than the pause is tried again sooner once; where it did not pass, the pauses hold for it too.
 */
export function resumeTime(
  { code, resumeAt }: Pick<AgentFailure, "code" | "resumeAt">,
  { now, pauseMs, restarts }: PauseFacts,
): string {
  const afterPause = new Date(now.getTime() + pauseMs).toISOString();
  if (resumeAt === null) return afterPause;
  if (code === "rate_limited") return resumeAt > afterPause ? resumeAt : afterPause;
  return restarts === 0 ? resumeAt : afterPause;
}
