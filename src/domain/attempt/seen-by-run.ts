/** Shows an attempt as the agent of one of its runs sees it. */
import type { Run } from "../run/run.ts";
import type { Attempt } from "./attempt.ts";

/** A reviewer is an agent of its own: it has no session here, and its counters begin at nothing. */
export function seenByRun(attempt: Attempt, run: Pick<Run, "kind" | "options">): Attempt {
  const isReviewer = run.kind === "review" && run.options.review !== undefined;
  if (!isReviewer) return attempt;
  return { ...attempt, ...agentSeenByRun(attempt, run), session: null, usageTotals: null };
}

/** The same, if no more is asked than which agent it is. */
export function agentSeenByRun(
  { agent, executor, model }: AgentOfAttempt,
  { kind, options: { review } }: Pick<Run, "kind" | "options">,
): AgentOfAttempt {
  if (kind !== "review" || review === undefined) return { agent, executor, model };
  return { agent: review.agent, executor: review.executor, model: review.model };
}

type AgentOfAttempt = Pick<Attempt, "agent" | "executor" | "model">;

/** Whether an agent works in a run of this kind. */
export function hasAgent({ kind }: Pick<Run, "kind">): boolean {
  return kind === "agent" || kind === "review";
}
