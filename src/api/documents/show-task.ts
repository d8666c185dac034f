/** Turns what the services know of tasks, attempts and runs into the documents of the contract. */
import { showing } from "../../contract/document-of.ts";
import {
  type AttemptAlone,
  type AttemptDocument,
  attemptFields,
  type CheckDocument,
  checkFields,
  type Decided,
  decidedFields,
  type ListedTask,
  type RepositoryDocument,
  type RunAlone,
  type RunDocument,
  repositoryFields,
  runFields,
  type TaskDocument,
  taskFields,
} from "../../contract/task-document.ts";
import { attemptChanges, attemptStanding, attemptUsage } from "../../contract/words/attempt-standing.ts";
import { showSummary } from "../../contract/words/tell-pull-request.ts";
import type { AttemptDetail, RunView, RunWithTask, TaskDetail } from "../../services/core/answer-shapes.ts";

/** A task with its attempts and their runs. */
export function showTask(detail: TaskDetail): TaskDocument {
  const { attempts, ...task } = showWhole(detail);
  return { task, attempts };
}

/** The same as one object of a list. */
export function showListedTask(detail: TaskDetail): ListedTask {
  return showWhole({ ...detail, attempts: detail.attempts.map(brief) });
}

function showWhole({ task, repository, attempts, decision }: TaskDetail): ListedTask {
  const { id, name, path } = repository;
  return {
    ...showTaskFields(task),
    decision: showDecided(decision),
    repository: { id, name, path },
    attempts: attempts.map(showAttempt),
  };
}

function showDecided(decision: TaskDetail["decision"]): Decided | null {
  return decision === undefined ? null : showDecidedFields(decision);
}

function showAttempt(detail: AttemptDetail): AttemptDocument {
  const { attempt, runs, branch, decision, pullRequest, worker = null, copy, cameBack } = detail;
  const shown = runs.map(showRun);
  const { state, commit } = attemptStanding(attempt, shown, branch);
  const sums = { changes: attemptChanges(attempt, runs), usage: attemptUsage(runs) };
  return {
    ...showAttemptFields({ ...attempt, ...sums }),
    session: attempt.session?.id ?? null,
    state,
    commit,
    chosen: decision?.attemptId === attempt.id,
    pull_request: pullRequest === undefined ? null : showSummary(pullRequest),
    worker,
    depot: copy === undefined ? null : showCopy(copy),
    ...(cameBack === undefined ? {} : { came_back: cameBack.map(showCameBack) }),
    runs: shown,
  };
}

function showCopy({ protectedAt, unprotectedSince, trouble }: NonNullable<AttemptDetail["copy"]>) {
  return { protected_at: protectedAt, unprotected_since: unprotectedSince, trouble };
}

function showCameBack(left: NonNullable<AttemptDetail["cameBack"]>[number]) {
  const { workerId: id, name, files, notContained, path, takenAt, state } = left;
  return {
    worker: { id, name },
    ...{ files, path },
    not_contained: [...notContained],
    taken_at: takenAt,
    ready: state === "offered",
  };
}

/** An attempt on its own, with its parent's id. */
export function showAttemptAlone(detail: AttemptDetail): AttemptAlone {
  return { ...showAttempt(detail), task: detail.attempt.taskId, decision: showDecided(detail.decision) };
}

/** The same in a list. */
export function showListedAttempt(detail: AttemptDetail): AttemptAlone {
  return showAttemptAlone(brief(detail));
}

/** A run on its own in a list. */
export function showListedRun({ run, ...of }: RunWithTask): RunAlone {
  return showRunAlone({ ...of, run: briefRun(run) });
}

function brief(detail: AttemptDetail): AttemptDetail {
  return { ...detail, runs: detail.runs.map(briefRun) };
}

/** How much of a check's output a list shows: a page may have hundreds of checks. */
const CHARS_IN_LISTS = 1_000;

function briefRun(run: RunView): RunView {
  return {
    ...run,
    checks: run.checks.map((check) => ({ ...check, output: check.output.slice(-CHARS_IN_LISTS) })),
  };
}

/** A run on its own, with its parents' ids. */
export function showRunAlone({ run, taskId }: RunWithTask): RunAlone {
  return { ...showRun(run), attempt: run.attemptId, task: taskId };
}

export function showRun(run: RunView): RunDocument {
  return {
    ...showRunFields(run),
    actor: run.options.actor ?? null,
    ...(run.stoppedBy === undefined ? {} : { stopped_by: run.stoppedBy }),
    reviewer: run.options.review?.agent ?? null,
    patch: run.patch && { ...run.patch, path: run.patchPath },
    checks: run.checks.map(showCheck),
  };
}

function showCheck(check: RunView["checks"][number]): CheckDocument {
  return {
    ...showCheckFields(check),
    passed: check.outcome === "passed",
    log: check.output,
  };
}

export const showRepository: (repository: TaskDetail["repository"]) => RepositoryDocument =
  showing(repositoryFields);

const showTaskFields = showing(taskFields);
const showDecidedFields = showing(decidedFields);
const showAttemptFields = showing(attemptFields);
const showRunFields = showing(runFields);
const showCheckFields = showing(checkFields);
