/** Joins what people do on the way out of an attempt: publish, merge, apply, revert. */
import type { ServiceContext } from "../core/context.ts";
import type { Services } from "../core/services.ts";
import { keepShipDraft } from "../drafts/ship-draft.ts";
import { applyAttempt } from "../landing/apply-attempt.ts";
import { mergeAttempt } from "../landing/merge-attempt.ts";
import { revertAttempt } from "../landing/revert-attempt.ts";
import { publishAttempt } from "../requests/publish-attempt.ts";
import { takeBack } from "../requests/take-back.ts";
import { createTaskAnswers } from "./task-answers.ts";

export function shipServices(context: ServiceContext) {
  const { onFound, createOnce, attemptOf } = createTaskAnswers(context);
  return {
    publish: (input, once = null) => createOnce(once, (key) => publishAttempt(context, input, key)),
    takeBack: (input) =>
      onFound(input.attempt, ({ attemptId }) => takeBack(context, { ...input, attempt: attemptId ?? "" })),
    merge: (request) => mergeAttempt(context, request),
    apply: (id) => applyAttempt(context, id),
    revert: (input, once = null) => createOnce(once, (key) => revertAttempt(context, input, key), attemptOf),
    keepShipDraft: (change) => keepShipDraft(context, change),
  } satisfies Partial<Services>;
}
