/** Adds a review to an attempt: another agent reads its patch and comments on it. */
import { err, type Result, safeTry } from "neverthrow";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import { workOf } from "../../domain/attempt/attempt-runs.ts";
import type { Run } from "../../domain/run/run.ts";
import { isEnded } from "../../domain/run/state.ts";
import { resolveAgent } from "../agents/resolve-agent.ts";
import type { RequestContext, Uses } from "../core/context-parts.ts";
import { type AttemptPlace, findPlace } from "../core/find-place.ts";
import { configurationRefusal, notFound, type Refusal, refuse, shortId } from "../core/refusal.ts";
import type { ReviewRequest } from "../core/request-shapes.ts";
import { taskDetail } from "../queries/task-detail.ts";
import { addRun } from "../requests/add-run.ts";
import { settingsOption } from "../requests/store-runs.ts";

/** The id of the new run. It waits for the run that works in the attempt; follow-ups stay as they are. */
export async function reviewAttempt(
  context: RequestContext & Uses<"executors" | "git" | "paths" | "diskFullRuns">,
  input: ReviewRequest,
  key: string | null,
): Promise<Result<string, Refusal>> {
  return safeTry(async function* () {
    const place = await findPlace(context.db.reader, input.attempt);
    if (place === null) return err(notFound("attempt", input.attempt));
    // Reading the task also counts what a person changed since.
    const task = yield* await taskDetail(context, place.task.id);
    const detail = task.attempts.find((each) => each.attempt.id === place.attempt.id);
    const { attempt, runs } = detail ?? { attempt: place.attempt, runs: [] };
    const refusal = refuseReview(attempt, workOf(runs));
    if (refusal !== null) return err(refusal);
    const { executor, profile } = yield* await reviewerOf(context, place, input);
    return addRun(context, attempt, {
      kind: "review",
      instruction: input.instruction?.trim() || `Review the patch of the attempt ${shortId(attempt.id)}.`,
      options: {
        review: {
          agent: profile.id,
          executor: executor.id,
          model: profile.model,
          own: profile.id === attempt.agent,
        },
        ...settingsOption(input.settings),
      },
      offline: runs.at(-1)?.offline ?? false,
      releasesHeld: false,
      key,
    });
  });
}

async function reviewerOf(
  context: Uses<"configuration" | "executors">,
  { repository, task }: AttemptPlace,
  { agent, settings }: ReviewRequest,
) {
  const configuration = await context.configuration(repository, { ...task.settings, ...settings });
  if (configuration.isErr()) return err(configurationRefusal(configuration.error));
  return resolveAgent(agent, configuration.value.values, context.executors);
}

/** The files are read in the worktree, and something must have changed. */
function refuseReview(attempt: Attempt, work: readonly Run[]): Refusal | null {
  const id = shortId(attempt.id);
  const details = { attempt: attempt.id };
  if (attempt.state !== "open")
    return refuse("conflict", "no_worktree", `The attempt ${id} has no worktree to read any more.`, {
      remedy: `\`tazuna continue ${id} "Go on"\` makes it again if it was cleaned up; \`tazuna trash restore ${id}\` brings it back.`,
      details,
    });
  const atRest = work.every(({ status, held }) => isEnded(status) || held);
  if (!atRest || (attempt.patch?.files ?? 0) > 0) return null;
  return refuse("conflict", "nothing_to_review", `The attempt ${id} has no changes to review.`, {
    remedy: `\`tazuna continue ${id} "Go on"\` lets its agent work first.`,
    details,
  });
}
