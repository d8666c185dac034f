/** Shows an attempt as the agent of one of its runs sees it. */
import type { Run } from "../run/run.ts";
import type { Attempt } from "./attempt.ts";

/** A reviewer is an agent of its own: it has no session here, and its counters begin at nothing. */
export function seenByRun(attempt: Attempt, { kind, options }: Pick<Run, "kind" | "options">): Attempt {
  if (kind !== "review" || options.review === undefined) return attempt;
  const { agent, executor, model } = options.review;
  return { ...attempt, agent, executor, model, session: null, usageTotals: null };
}

/** Whether an agent works in a run of this kind. */
export function hasAgent({ kind }: Pick<Run, "kind">): boolean {
  return kind === "agent" || kind === "review";
}
