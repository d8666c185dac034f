/** Joins what people decide with, and say about a patch, into the services that the doors call. */
import { err, ok } from "neverthrow";
import { createdUnder } from "../storage/tables/idempotency-keys.ts";
import { createKnownAddressed } from "./comments/addressed.ts";
import { addComment, changeComment, removeComment } from "./comments/draft-comments.ts";
import { listComments, showComment } from "./comments/list-comments.ts";
import type { ServiceContext } from "./core/context.ts";
import type { Services } from "./core/services.ts";
import { chooseAttempt } from "./decisions/choose-attempt.ts";
import { compareTask } from "./decisions/compare-task.ts";
import { listDecisions, showDecision } from "./decisions/list-decisions.ts";
import { createListTouched } from "./decisions/touched-files.ts";
import { keepShipDraft } from "./drafts/ship-draft.ts";
import { applyAttempt } from "./landing/apply-attempt.ts";
import { replyOnPullRequest } from "./pull-requests/reply.ts";
import { findId, taskDetail } from "./queries/task-detail.ts";
import { takeBack } from "./requests/take-back.ts";

export function decisionServices(context: ServiceContext) {
  const listTouched = createListTouched();
  return {
    compare: (taskId, options) => compareTask(context, taskId, { ...options, listTouched }),
    choose: async (input, once = null) => {
      const key = once?.key ?? null;
      const before = key === null ? null : await createdUnder(context.db.reader, key);
      const id = before === null ? await chooseAttempt(context, input, key) : ok(before);
      return id.isErr() ? err(id.error) : showDecision(context, id.value);
    },
    decisions: (query) => listDecisions(context, query),
  } satisfies Partial<Services>;
}

export function commentServices(context: ServiceContext) {
  const known = createKnownAddressed();
  const show = (id: string) => showComment(context, id, known);
  return {
    comments: (attemptId) => listComments(context, attemptId, known),
    addComment: async (input, once = null) => {
      const key = once?.key ?? null;
      const before = key === null ? null : await createdUnder(context.db.reader, key);
      const id = before === null ? await addComment(context, input, key) : ok(before);
      return id.isErr() ? err(id.error) : show(id.value);
    },
    changeComment: async (change) => {
      const changed = await changeComment(context, change);
      return changed.isErr() ? err(changed.error) : show(change.id);
    },
    removeComment: async (id) =>
      (await removeComment(context, id)).map((comment) => ({
        ...comment,
        outdated: false,
        addressedIn: null,
      })),
  } satisfies Partial<Services>;
}

/** What people do on the way out, beside publishing. */
export function shipServices(context: ServiceContext) {
  return {
    takeBack: async (input) => {
      const found = await findId(context, input.attempt);
      if (found.isErr()) return err(found.error);
      const done = await takeBack(context, { ...input, attempt: found.value.attemptId ?? "" });
      return done.isErr() ? err(done.error) : taskDetail(context, found.value.taskId);
    },
    apply: (id) => applyAttempt(context, id),
    reply: (input) => replyOnPullRequest(context, input),
    keepShipDraft: (change) => keepShipDraft(context, change),
  } satisfies Partial<Services>;
}
