/** Handles the endpoints of tasks and attempts. */
import { err, ok } from "neverthrow";
import type { ATTEMPT_ENDPOINTS } from "../../contract/endpoints/attempts.ts";
import type { CreateTaskBody, TASK_ENDPOINTS } from "../../contract/endpoints/tasks.ts";
import type { Refusal } from "../../services/core/refusal.ts";
import type { CreateTask } from "../../services/core/request-shapes.ts";
import type { Services } from "../../services/core/services.ts";
import {
  showAttemptAlone,
  showListedAttempt,
  showListedTask,
  showRepository,
  showTask,
} from "../documents/show-task.ts";
import { type Handlers, pageOf, shown } from "./handler.ts";
import { showDone } from "./tidy-handlers.ts";

export const taskHandlers: Handlers<typeof TASK_ENDPOINTS> = {
  createTask: ({ services, request, once }) => shown(services.createTask(asked(request), once), showTask),
  demo: ({ services, request, once }) => shown(services.demo(request, once), showTask),
  removeDemo: ({ services }) =>
    shown(services.removeDemo(), (removed) => ({ removed: removed.map(showRepository) })),
  tasks: ({ services, request }) => shown(services.tasks(request), pageOf(showListedTask)),
  task: ({ services, id }) => shown(services.task(id), showTask),
  find: ({ services, request }) =>
    shown(services.find(request.id), ({ type, id, attemptId, taskId }) => ({
      type,
      id,
      attempt: attemptId,
      task: taskId,
    })),
  stop: ({ services, id }) => shown(services.stop(id), showTask),
  cancel: ({ services, id }) => shown(services.cancel(id), showTask),
  addAttempt: ({ services, id, request: { agent, ...same }, once }) => {
    const asked = typeof agent === "string" ? { id: agent, model: null } : agent;
    return shown(services.addAttempt({ ...same, task: id, agent: asked }, once), showTask);
  },
};

export const attemptHandlers: Handlers<typeof ATTEMPT_ENDPOINTS> = {
  attempts: ({ services, request }) => shown(services.attempts(request), pageOf(showListedAttempt)),
  attempt: ({ services, id }) => shown(findAttempt(services, id), ({ attempt }) => showAttemptAlone(attempt)),
  followUp: ({ services, id, request: { merge_base, from_review, from_checks, ...same }, once }) =>
    shown(
      services.followUp(
        { ...same, attempt: id, mergeBase: merge_base, fromReview: from_review, fromChecks: from_checks },
        once,
      ),
      showTask,
    ),
  publish: ({ services, id, request: { leave_out, another_branch, ...same }, once }) =>
    shown(
      services.publish({ ...same, attempt: id, leaveOut: leave_out, anotherBranch: another_branch }, once),
      showTask,
    ),
  takeBack: ({ services, id, request: { allow, leave_out } }) =>
    shown(services.takeBack({ attempt: id, allow, leaveOut: leave_out }), showTask),
  diffFiles: ({ services, id, request: { other, since, worker, ...page } }) =>
    services.diffFiles({ attempt: id, other, since, worker }, page),
  diff: ({ services, id, request: { other, since, worker, path } }) =>
    services.diff({ attempt: id, other, since, worker }, { path }),
  lines: ({ services, id, request: { other, since, worker, ...lines } }) =>
    services.lines({ attempt: id, other, since, worker }, lines),
  picture: ({ services, id, request: { other, since, worker, ...file } }) =>
    services.picture({ attempt: id, other, since, worker }, file),
  patch: ({ services, id, request }) => services.patch({ attempt: id, ...request }),
  takeLeft: ({ services, id, request }) =>
    shown(services.takeLeft({ attempt: id, ...request }), (operation) =>
      operation === null ? { operation } : showDone(operation),
    ),
};

export function asked({ agents, from_worktree, budget_usd, on_labels, ...same }: CreateTaskBody): CreateTask {
  return {
    ...same,
    agents: agents.map((agent) => (typeof agent === "string" ? { id: agent, model: null } : agent)),
    fromWorktree: from_worktree,
    budgetUsd: budget_usd,
    onLabels: on_labels,
  };
}

/** The attempt that an id means, or that of the run that it means. */
export async function findAttempt(services: Services, id: string) {
  const found = await services.find(id);
  if (found.isErr()) return err(found.error);
  const detail = await services.task(found.value.taskId);
  if (detail.isErr()) return err(detail.error);
  const attempt = detail.value.attempts.find((each) => each.attempt.id === found.value.attemptId);
  if (attempt === undefined || found.value.type === "task") return err(nothing("attempt", id));
  return ok({ attempt, found: found.value });
}

export function nothing(what: string, id: string): Refusal {
  return {
    kind: "not_found",
    code: "not_found",
    message: `No ${what} has the id "${id}".`,
    remedy: "`tazuna list --all` shows the ids; any unique prefix will do.",
    details: { id },
  };
}
