/** Joins what makes, finds and lists tasks and their attempts. */
import { composeTask } from "../compose/compose-task.ts";
import { forkRun } from "../compose/fork-run.ts";
import type { ServiceContext } from "../core/context.ts";
import type { Services } from "../core/services.ts";
import { makeDemo } from "../demo/make-demo.ts";
import { removeDemo } from "../demo/remove-demo.ts";
import { placeOf } from "../new-task/place-of.ts";
import { listAttempts, listTasks } from "../queries/lists.ts";
import { findId, taskDetail } from "../queries/task-detail.ts";
import { addAttempt } from "../requests/add-attempt.ts";
import { createTask } from "../requests/create-task.ts";
import { createTaskAnswers } from "./task-answers.ts";

export function taskServices(context: ServiceContext) {
  const { createOnce, attemptOf } = createTaskAnswers(context);
  return {
    createTask: (input, once = null) => createOnce(once, (key) => createTask(context, input, key)),
    placeOfTask: (input) => placeOf(context, input),
    addAttempt: (input, once = null) => createOnce(once, (key) => addAttempt(context, input, key), attemptOf),
    compose: (input, once = null) => createOnce(once, (key) => composeTask(context, input, key), attemptOf),
    fork: (input, once = null) => createOnce(once, (key) => forkRun(context, input, key), attemptOf),
    demo: (input, once = null) => createOnce(once, (key) => makeDemo(context, input, key)),
    removeDemo: () => removeDemo(context),
    find: (id) => findId(context, id),
    task: (id) => taskDetail(context, id),
    tasks: (query) => listTasks(context, query),
    attempts: (query) => listAttempts(context, query),
  } satisfies Partial<Services>;
}
