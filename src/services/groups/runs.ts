/** Joins what adds runs to attempts, and what steers, lists and queues them. */
import { recheck } from "../base-checks/recheck.ts";
import { answerFound } from "../conversation/give-answer.ts";
import type { ServiceContext } from "../core/context.ts";
import type { Services } from "../core/services.ts";
import { reviewAttempt } from "../decisions/review-attempt.ts";
import { sendPoints } from "../pull-requests/send-points.ts";
import { listRuns } from "../queries/lists.ts";
import { changeQueued } from "../queue/change-queued.ts";
import { removeQueued } from "../queue/remove-queued.ts";
import { cancelFound } from "../requests/cancel-attempt.ts";
import { followUpRun, retryRun } from "../requests/follow-up-run.ts";
import { resumeFound } from "../requests/resume-run.ts";
import { stopFound } from "../requests/stop-run.ts";
import { createTaskAnswers } from "./task-answers.ts";

export function runServices(context: ServiceContext) {
  const { onFound, createOnce } = createTaskAnswers(context);
  return {
    followUp: (input, once = null) =>
      createOnce(once, (key) =>
        input.fromReview === null && input.fromChecks === null
          ? followUpRun(context, input, key)
          : sendPoints(context, input, key),
      ),
    retry: (input, once = null) =>
      createOnce(once, (key) => (input.from === "checks" ? recheck : retryRun)(context, input, key)),
    review: (input, once = null) => createOnce(once, (key) => reviewAttempt(context, input, key)),
    stop: (id) => onFound(id, (found) => stopFound(context, found)),
    answer: (id, given) => onFound(id, (found) => answerFound(context, found, given)),
    resume: (id) => onFound(id, (found) => resumeFound(context, found)),
    cancel: (id) => onFound(id, (found) => cancelFound(context, found)),
    changeQueued: (change) => changeQueued(context, change),
    removeQueued: (runId) => removeQueued(context, runId),
    runs: (query) => listRuns(context, query),
  } satisfies Partial<Services>;
}
