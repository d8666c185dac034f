/** Joins the journeys and the queries into the one interface that the doors use. */
import { err, ok, type Result } from "neverthrow";
import { factsAfter, lastSeq } from "../storage/facts.ts";
import { createdUnder } from "../storage/idempotency-keys.ts";
import { listRepositories } from "../storage/repositories.ts";
import { cancelFound } from "./attempts/cancel-attempt.ts";
import { restoreRun } from "./attempts/restore-run.ts";
import { cleanAttempts } from "./clean/clean-attempts.ts";
import { configurationRefusal } from "./configuration/configuration-refusal.ts";
import { listScripts, trustScripts } from "./configuration/trust.ts";
import type { ServiceContext } from "./context.ts";
import { makeDemo } from "./demo/make-demo.ts";
import { doctor } from "./doctor/doctor.ts";
import { runLog } from "./logs/run-log.ts";
import { createStreamCache } from "./logs/stream-cache.ts";
import { agentStatuses } from "./queries/agent-status.ts";
import { attemptDiff } from "./queries/attempt-diff.ts";
import { effectiveConfiguration } from "./queries/effective-configuration.ts";
import { listAttempts, listOperations, listRuns, listTasks } from "./queries/lists.ts";
import { findId, taskDetail } from "./queries/task-detail.ts";
import { moveRepository } from "./repositories/move-repository.ts";
import { registerRepository } from "./repositories/register-repository.ts";
import { followUpRun, retryRun } from "./runs/follow-up-run.ts";
import { publishAttempt } from "./runs/publish-attempt.ts";
import { stopRun } from "./runs/stop-run.ts";
import type { Answer, Once, Refusal, Services, TaskDetail } from "./services.ts";
import { createTask } from "./tasks/create-task.ts";
import { emptyTrash } from "./trash/empty-trash.ts";
import { listTrash } from "./trash/list-trash.ts";
import { restoreEntry } from "./trash/restore-entry.ts";
import { undoOperation } from "./undo/undo-operation.ts";

export function createServices(context: ServiceContext): Services {
  return {
    ...taskServices(context),
    ...lookServices(context),
    ...repositoryServices(context),
    ...trashServices(context),
  };
}

type TaskServices = Pick<
  Services,
  "createTask" | "followUp" | "stop" | "cancel" | "retry" | "publish" | "demo"
>;

function taskServices(context: ServiceContext): TaskServices {
  const detailOfTask = (id: string): Answer<TaskDetail> => taskDetail(context, id);
  const detailOf = async (id: string): Answer<TaskDetail> => {
    const found = await findId(context, id);
    return found.isErr() ? err(found.error) : detailOfTask(found.value.taskId);
  };
  /** `create` answers the id of what it made and records it under the key, in one transaction. */
  const createOnce = async (
    once: Once,
    create: (key: string | null) => Promise<Result<string, Refusal>>,
  ): Answer<TaskDetail> => {
    const key = once?.key ?? null;
    const before = key === null ? null : await createdUnder(context.db.reader, key);
    if (before !== null) return detailOf(before);
    const created = await create(key);
    return created.isErr() ? err(created.error) : detailOf(created.value);
  };
  return {
    createTask: (input, once = null) => createOnce(once, (key) => createTask(context, input, key)),
    demo: (once = null) => createOnce(once, (key) => makeDemo(context, key)),
    followUp: (input, once = null) => createOnce(once, (key) => followUpRun(context, input, key)),
    retry: (input, once = null) => createOnce(once, (key) => retryRun(context, input, key)),
    publish: (input, once = null) => createOnce(once, (key) => publishAttempt(context, input, key)),
    stop: async (runId) => {
      const stopped = await stopRun(context, runId);
      return stopped.isErr() ? err(stopped.error) : detailOf(runId);
    },
    cancel: async (id) => {
      const found = await findId(context, id);
      if (found.isErr()) return err(found.error);
      const canceled = await cancelFound(context, found.value);
      return canceled.isErr() ? err(canceled.error) : detailOfTask(found.value.taskId);
    },
  };
}

type LookServices = Pick<
  Services,
  | "find"
  | "task"
  | "tasks"
  | "attempts"
  | "runs"
  | "log"
  | "diff"
  | "operations"
  | "facts"
  | "lastFact"
  | "onFacts"
>;

function lookServices(context: ServiceContext): LookServices {
  const streams = createStreamCache(context);
  return {
    find: (id) => findId(context, id),
    task: (id) => taskDetail(context, id),
    tasks: (query) => listTasks(context, query),
    attempts: (query) => listAttempts(context, query),
    runs: (query) => listRuns(context, query),
    log: (runId, query) => runLog(context, streams, { runId, ...query }),
    diff: (attemptId, options) => attemptDiff(context, attemptId, options),
    operations: (query) => listOperations(context, query),
    facts: async ({ after, limit }) => ok(await factsAfter(context.db.reader, after, limit)),
    lastFact: async () => ok(await lastSeq(context.db.reader)),
    onFacts: (listener) => context.bell.onRing(listener),
  };
}

function trashServices(
  context: ServiceContext,
): Pick<Services, "trash" | "restoreTrash" | "emptyTrash" | "undo" | "restoreRun" | "clean"> {
  return {
    trash: () => listTrash(context),
    restoreTrash: (id) => restoreEntry(context, id),
    restoreRun: (id) => restoreRun(context, id),
    undo: (id) => undoOperation(context, id),
    clean: (wish) => cleanAttempts(context, wish),
    emptyTrash: ({ yes }) => emptyTrash(context, { yes, only: null }),
  };
}

type RepositoryServices = Pick<
  Services,
  "agents" | "doctor" | "repositories" | "addRepository" | "moveRepository" | "config" | "scripts" | "trust"
>;

function repositoryServices(context: ServiceContext): RepositoryServices {
  const withConfiguration = async (idOrPath: string) => {
    const repository = await registerRepository(context, idOrPath);
    if (repository.isErr()) return err(repository.error);
    const configuration = await context.configuration(repository.value);
    if (configuration.isErr()) return err(configurationRefusal(configuration.error));
    return ok({ repository: repository.value, configuration: configuration.value });
  };
  return {
    agents: ({ repository }) => agentStatuses(context, repository),
    doctor: (query) => doctor(context, query),
    repositories: async () => ok(await listRepositories(context.db.reader)),
    addRepository: (path) => registerRepository(context, path),
    moveRepository: (id, path) => moveRepository(context, id, path),
    config: (query) => effectiveConfiguration(context, query),
    scripts: async ({ repository }) => {
      const of = await withConfiguration(repository);
      return of.isErr() ? err(of.error) : ok(await listScripts(context, of.value));
    },
    trust: async ({ repository, hashes }) => {
      const of = await withConfiguration(repository);
      return of.isErr() ? err(of.error) : ok(await trustScripts(context, { ...of.value, hashes }));
    },
  };
}
