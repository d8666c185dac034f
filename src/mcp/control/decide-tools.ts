/** Declares the tools with which an agent decides and lands: choose, pull request, merge. */
import { err } from "neverthrow";
import { z } from "zod";
import { DECISION_ENDPOINTS } from "../../contract/endpoints/decisions.ts";
import { LANDING_ENDPOINTS } from "../../contract/endpoints/landing.ts";
import { PULL_REQUEST_ENDPOINTS } from "../../contract/endpoints/pull-requests.ts";
import { attemptField, controlTool, keyField, onceOf } from "./control-tool.ts";
import { findAttempt } from "./find-attempt.ts";

const choice = DECISION_ENDPOINTS.choose.request.shape;

export const DECIDE_TOOLS = [
  controlTool({
    name: "choose_attempt",
    title: "Choose an attempt",
    description:
      "Records which attempt of its task was chosen, and why. Choosing again keeps the earlier decision as history. `trash_others` cancels the others: each goes into the trash, after a snapshot.",
    destructive: true,
    input: z.strictObject({ ...choice, attempt: attemptField, idempotency_key: keyField }),
    output: DECISION_ENDPOINTS.choose.answer,
    act: async ({ attempt, idempotency_key, ...asked }, { engine }) => {
      const found = await findAttempt(engine, attempt);
      if (found.isErr()) return err(found.error);
      const { decision } = found.value.document.task;
      const replaces = asked.replaces === undefined ? (decision?.id ?? null) : asked.replaces;
      const request = { ...asked, attempt: found.value.attempt.id, replaces };
      return engine.ask((client, once) => client.choose(request, onceOf(idempotency_key, once)));
    },
  }),
  controlTool({
    name: "open_pull_request",
    title: "Open a pull request",
    description:
      "Opens the pull request of an attempt, or brings the one that is there up to date. Words that a person changed there stay.",
    openWorld: true,
    input: PULL_REQUEST_ENDPOINTS.openPullRequest.request.extend({
      attempt: attemptField,
      idempotency_key: keyField,
    }),
    output: PULL_REQUEST_ENDPOINTS.openPullRequest.answer,
    act: async ({ attempt, idempotency_key, ...asked }, { engine }) => {
      const found = await findAttempt(engine, attempt);
      if (found.isErr()) return err(found.error);
      return engine.ask((client, once) =>
        client.openPullRequest(found.value.attempt.id, asked, onceOf(idempotency_key, once)),
      );
    },
  }),
  controlTool({
    name: "merge_attempt",
    title: "Merge an attempt",
    description:
      "Merges an attempt into the local branch that it began from, or its open pull request on the forge. A checkout of a person is written only with `here`, and only if it is clean.",
    destructive: true,
    openWorld: true,
    input: LANDING_ENDPOINTS.merge.request.extend({ attempt: attemptField }),
    output: LANDING_ENDPOINTS.merge.answer,
    act: async ({ attempt, ...asked }, { engine }) => {
      const found = await findAttempt(engine, attempt);
      if (found.isErr()) return err(found.error);
      return engine.ask((client) => client.merge(found.value.attempt.id, asked));
    },
  }),
];
