/** Ends a review: reads the comments from the reviewer's words, and stores them with the run's end. */
import type { AgentEvent } from "../../../domain/agent/events.ts";
import type { Comment } from "../../../domain/comment/comment.ts";
import { patchLines } from "../../../domain/comment/patch-lines.ts";
import { readReview } from "../../../domain/comment/read-review.ts";
import { agentOf } from "../../agents/resolve-agent.ts";
import type { Uses } from "../../core/context-parts.ts";
import { gitFailed } from "../../run-core/git-failure.ts";
import { reviewedPatch } from "../../run-core/reviewed-patch.ts";
import { failed, note, type RunWorld, type Step } from "../../run-core/step.ts";
import { readAgentEvents } from "../agent/read-stream.ts";

/** STAGING (staging) of a review: there is nothing to stage. */
export async function concludeReview(
  context: Uses<
    | "db"
    | "owner"
    | "objectKeys"
    | "git"
    | "paths"
    | "newId"
    | "clock"
    | "userEnv"
    | "selfCommand"
    | "executors"
  >,
  world: RunWorld,
): Promise<Step> {
  const { run, attempt } = world;
  const agent = agentOf(context, world);
  if (agent.isErr()) return failed("agent_not_found", agent.error.message);
  const patch = await reviewedPatch(context, world);
  if (patch.isErr()) return gitFailed("stage", patch.error);
  const events = await readAgentEvents(context, { run, attempt, executor: agent.value.executor });
  const words = `${wordsOf(events)}\n${run.summary ?? ""}`;
  const review = readReview(words, patchLines(patch.value));
  if (review.isErr())
    return failed("agent_failed", `The review cannot be read: ${review.error}.`, {
      details: { cause: "review_unreadable" },
    });
  const at = context.clock.iso();
  const comments = review.value.comments.map(
    (read): Comment => ({
      ...read,
      endLine: null,
      tree: attempt.patch?.to ?? null,
      id: context.newId(),
      attemptId: attempt.id,
      runId: run.id,
      authorKind: "agent",
      author: attempt.agent,
      actor: null,
      state: "open",
      sentWith: null,
      at,
    }),
  );
  const { left } = review.value;
  const message = `${left} of the reviewer's comments could not be read and were left out; its log has them.`;
  const notes = left === 0 ? [] : [note("comments_left_out", message, { count: left })];
  return { event: "nothing_changed", run: { outcome: "no_changes" }, comments, notes };
}

/** Everything that it said, a message after the other. */
function wordsOf(events: readonly AgentEvent[]): string {
  let words = "";
  for (const event of events)
    if (event.kind === "message") words += `${event.delta ? "" : "\n"}${event.text}`;
  return words;
}
