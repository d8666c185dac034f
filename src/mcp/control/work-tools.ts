/** Declares the tools with which an agent gives work: create, continue, stop, answer. */
import { err, ok } from "neverthrow";
import { z } from "zod";
import { findNamed, partOf } from "../../contract/client/named-thing.ts";
import { ATTEMPT_ENDPOINTS } from "../../contract/endpoints/attempts.ts";
import { RUN_ENDPOINTS } from "../../contract/endpoints/runs.ts";
import { TASK_ENDPOINTS } from "../../contract/endpoints/tasks.ts";
import type { ApiError } from "../../contract/problem.ts";
import type { AttemptDocument, RunDocument } from "../../contract/task-document.ts";
import { anyField, attemptField, controlTool, keyField, onceOf } from "./control-tool.ts";
import { findAttempt } from "./find-attempt.ts";

const create = TASK_ENDPOINTS.createTask;
const answerFields = RUN_ENDPOINTS.answer.request.shape;

export const WORK_TOOLS = [
  controlTool({
    name: "create_task",
    title: "Create a task",
    description:
      "Gives one instruction to one or several agents. Each works in a worktree and on a branch of its own; Tazuna commits and pushes what they did. Answers at once: `wait_for` waits.",
    openWorld: true,
    input: create.request.extend({
      repository: create.request.shape.repository
        .optional()
        .describe("Id, name or absolute path of a repository; the one of this server's folder if absent."),
      idempotency_key: keyField,
    }),
    output: create.answer,
    act: ({ idempotency_key, ...asked }, { engine, folder, settings }) => {
      const request = {
        ...asked,
        repository: asked.repository ?? folder,
        settings: { ...settings, ...asked.settings },
      };
      return engine.ask((client, once) => client.createTask(request, onceOf(idempotency_key, once)));
    },
  }),
  controlTool({
    name: "continue_attempt",
    title: "Continue an attempt",
    description:
      "Sends a follow-up to the agent of an attempt, in the same worktree and session. Without an instruction the edits that a person made there are committed.",
    openWorld: true,
    input: ATTEMPT_ENDPOINTS.followUp.request.extend({ attempt: attemptField, idempotency_key: keyField }),
    output: ATTEMPT_ENDPOINTS.followUp.answer,
    act: async ({ attempt, idempotency_key, ...asked }, { engine, settings }) => {
      const found = await findAttempt(engine, attempt);
      if (found.isErr()) return err(found.error);
      const request = { ...asked, settings: { ...settings, ...asked.settings } };
      const sent = await engine.ask((client, once) =>
        client.followUp(found.value.attempt.id, request, onceOf(idempotency_key, once)),
      );
      return sent.map((document) => partOf({ ...found.value, document }));
    },
  }),
  controlTool({
    name: "stop_run",
    title: "Stop a run",
    description:
      "Interrupts a run; of an attempt or a task, everything that works there. Branch, files and session stay, and `continue_attempt` goes on.",
    destructive: true,
    input: z.strictObject({ run: anyField }),
    output: TASK_ENDPOINTS.stop.answer,
    act: async ({ run }, { engine }) => {
      const named = await findNamed(engine, run);
      if (named.isErr()) return err(named.error);
      const stopped = await engine.ask((client) => client.stop(named.value.found));
      return stopped.map((document) => partOf({ ...named.value, document }));
    },
  }),
  controlTool({
    name: "answer_run",
    title: "Answer what a run asks",
    description:
      "Answers the question of a run: `allow`, `deny`, or `text` with your words or the name of an option. `expect` is the question's own; if it asks something else by now, nothing is answered.",
    input: z.strictObject({ run: anyField, ...answerFields }),
    output: RUN_ENDPOINTS.answer.answer,
    act: async ({ run, ...asked }, { engine }) => {
      const found = await findAttempt(engine, run);
      if (found.isErr()) return err(found.error);
      const asking = askingRun(found.value);
      if (asking.isErr()) return err(asking.error);
      const answered = await engine.ask((client) => client.answer(asking.value.id, asked));
      return answered.map((document) => partOf({ ...found.value, document }));
    },
  }),
];

/** The run that was named; of an attempt, the one that asks, else the latest one. */
function askingRun({
  found,
  attempt,
}: {
  readonly found: { readonly id: string };
  readonly attempt: AttemptDocument;
}) {
  const named = attempt.runs.find(({ id }) => id === found.id);
  const run = named ?? attempt.runs.find(({ question }) => question !== null) ?? attempt.runs.at(-1);
  return run === undefined ? err(NO_RUN) : ok<RunDocument, ApiError>(run);
}

const NO_RUN: ApiError = {
  kind: "conflict",
  code: "no_question",
  message: "The attempt has no run yet.",
  remedy: "Try again in a moment.",
  details: {},
};
