/** Turns what the services know of tasks, attempts and runs into the documents of the contract. */
import type {
  AttemptAlone,
  AttemptDocument,
  CheckDocument,
  ListedTask,
  RepositoryDocument,
  RunAlone,
  RunDocument,
  TaskDocument,
} from "../../contract/task-document.ts";
import { attemptChanges, attemptStanding, attemptUsage } from "../../contract/words/attempt-standing.ts";
import type { AttemptDetail, RunOfTask, RunView, TaskDetail } from "../../services/core/services.ts";

/** A task with its attempts and their runs. */
export function showTask(detail: TaskDetail): TaskDocument {
  const { attempts, ...task } = showListedTask(detail);
  return { task, attempts };
}

/** The same as one object of a list. */
export function showListedTask({ task, repository, attempts }: TaskDetail): ListedTask {
  return {
    id: task.id,
    title: task.title,
    issue: task.issue,
    context: task.context,
    constraints: task.constraints,
    base: task.base,
    publish: task.publish,
    repository: { id: repository.id, name: repository.name, path: repository.path },
    created_at: task.createdAt,
    attempts: attempts.map(showAttempt),
  };
}

function showAttempt({ attempt, runs, branch }: AttemptDetail): AttemptDocument {
  const shown = runs.map(showRun);
  const { state, commit } = attemptStanding(attempt.state, shown, branch);
  const usage = attemptUsage(runs);
  return {
    id: attempt.id,
    number: attempt.number,
    agent: attempt.agent,
    executor: attempt.executor,
    model: attempt.model,
    branch: attempt.branch,
    worktree: attempt.worktree,
    base: { branch: attempt.base.branch, sha: attempt.base.sha },
    started_from: attempt.startedFrom && {
      name: attempt.startedFrom.name,
      from_worktree: attempt.startedFrom.fromWorktree,
      ahead: attempt.startedFrom.ahead,
      behind: attempt.startedFrom.behind,
    },
    session: attempt.session?.id ?? null,
    state,
    changes: attemptChanges(attempt, runs),
    commit,
    usage: usage && showUsage(usage),
    clean_up: attempt.cleanUp && {
      why: attempt.cleanUp.why,
      tried_at: attempt.cleanUp.triedAt,
      again_at: attempt.cleanUp.againAt,
    },
    created_at: attempt.createdAt,
    ended_at: attempt.endedAt,
    runs: shown,
  };
}

/** An attempt on its own, with its parent's id. */
export function showAttemptAlone(detail: AttemptDetail): AttemptAlone {
  return { ...showAttempt(detail), task: detail.attempt.taskId };
}

/** A run on its own, with its parents' ids. */
export function showRunAlone({ run, taskId }: RunOfTask): RunAlone {
  return { ...showRun(run), attempt: run.attemptId, task: taskId };
}

export function showRun(run: RunView): RunDocument {
  const { failure, patch, usage } = run;
  return {
    id: run.id,
    number: run.number,
    kind: run.kind,
    instruction: run.instruction,
    status: run.status,
    phase: run.phase,
    outcome: run.outcome,
    failure: failure && { ...failure },
    commit: run.commit,
    summary: run.summary,
    usage: usage && showUsage(usage),
    patch: patch && {
      files: patch.files,
      additions: patch.additions,
      deletions: patch.deletions,
      path: run.patchPath,
    },
    checks: run.checks.map(showCheck),
    isolation: run.isolation,
    isolation_reason: run.isolationReason,
    notes: run.notes.map(({ code, message, details }) => ({ code, message, details })),
    held: run.held,
    waits_for: run.waitsFor,
    resume_at: run.resumeAt,
    last_action: run.lastAction,
    created_at: run.createdAt,
    started_at: run.startedAt,
    ended_at: run.endedAt,
  };
}

function showCheck(check: RunView["checks"][number]): CheckDocument {
  const { name, required, outcome, exitCode, durationMs, tree, output } = check;
  return {
    name,
    required,
    passed: outcome === "passed",
    outcome,
    exit_code: exitCode,
    duration_ms: durationMs,
    tree,
    log: output,
  };
}

function showUsage(usage: NonNullable<RunView["usage"]>): NonNullable<RunDocument["usage"]> {
  return {
    input_tokens: usage.inputTokens,
    cached_input_tokens: usage.cachedInputTokens,
    output_tokens: usage.outputTokens,
    cost_usd: usage.costUsd,
    cost_estimated: usage.costEstimated,
  };
}

export function showRepository(repository: TaskDetail["repository"]): RepositoryDocument {
  const { id, name, path, bare, createdAt } = repository;
  return { id, name, path, bare, created_at: createdAt };
}
