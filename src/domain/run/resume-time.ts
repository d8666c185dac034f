/** Decides when an agent is restarted after a failure that may pass. */
import type { AgentFailure } from "../agent/events.ts";

interface PauseFacts {
  readonly now: Date;
  /** Milliseconds to wait after this number of restarts. */
  readonly pauseMs: number;
  /** How often the run's agent was restarted already. */
  readonly restarts: number;
}

/**
 * UTC ISO time. A limit is over when its provider says so, but not before the pause, since clocks differ. A fault
 * that may pass sooner is retried sooner once. If it did not pass, the pauses hold for it too.
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
