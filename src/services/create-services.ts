/** Joins requests and queries into the one interface that the HTTP API and MCP call. */
import { err, ok, type Result } from "neverthrow";
import { configurationJsonSchema } from "../domain/configuration/schema.ts";
import { factsAfter, lastSeq } from "../storage/tables/facts.ts";
import { createdUnder } from "../storage/tables/idempotency-keys.ts";
import { restoreRun } from "./attempts/restore-run.ts";
import { checkBase } from "./base-checks/check-base.ts";
import { recheck } from "./base-checks/recheck.ts";
import { showChecks } from "./base-checks/show-checks.ts";
import { cleanAttempts } from "./clean/clean-attempts.ts";
import { composeTask } from "./compose/compose-task.ts";
import { forkRun } from "./compose/fork-run.ts";
import { listRules, removeRule } from "./conversation/answer-rules.ts";
import { answerFound } from "./conversation/give-answer.ts";
import type { AttemptDetail, ResolvedId, TaskDetail } from "./core/answer-shapes.ts";
import type { ServiceContext } from "./core/context.ts";
import { configurationRefusal, type Refusal } from "./core/refusal.ts";
import type { Once } from "./core/request-shapes.ts";
import type { Answer, Services } from "./core/services.ts";
import { commentServices, decisionServices, shipServices } from "./decision-services.ts";
import { reviewAttempt } from "./decisions/review-attempt.ts";
import { createListTouched } from "./decisions/touched-files.ts";
import { listedRepositories } from "./demo/listed-repositories.ts";
import { makeDemo } from "./demo/make-demo.ts";
import { removeDemo } from "./demo/remove-demo.ts";
import { createComparedFiles } from "./diffs/compared-files.ts";
import { fileLines } from "./diffs/file-lines.ts";
import { filePicture } from "./diffs/file-picture.ts";
import { diffFilesOf, showDiff, wholePatch } from "./diffs/show-diff.ts";
import { doctor } from "./doctor/doctor.ts";
import { showGate } from "./gate/show-gate.ts";
import { mergeAttempt } from "./landing/merge-attempt.ts";
import { revertAttempt } from "./landing/revert-attempt.ts";
import { runLog } from "./logs/run-log.ts";
import { createStreamCache } from "./logs/stream-cache.ts";
import { branchesOf, createFileFinder, fetchAsked } from "./new-task/look-into.ts";
import { previewTask } from "./new-task/preview-task.ts";
import { createReadiness } from "./new-task/readiness.ts";
import { keepTaskDraft, readTaskDraft } from "./new-task/task-draft.ts";
import { findPullRequest, listPullRequests } from "./pull-requests/list-pull-requests.ts";
import { openPullRequest } from "./pull-requests/open-pull-request.ts";
import { previewPullRequest } from "./pull-requests/preview-pull-request.ts";
import { sendPoints } from "./pull-requests/send-points.ts";
import { takeWebhook } from "./pull-requests/take-webhook.ts";
import { agentStatuses } from "./queries/agent-status.ts";
import { effectiveConfiguration } from "./queries/effective-configuration.ts";
import { listAttempts, listOperations, listRuns, listTasks } from "./queries/lists.ts";
import { findId, taskDetail } from "./queries/task-detail.ts";
import { capacity } from "./queue/capacity.ts";
import { changeQueued } from "./queue/change-queued.ts";
import { removeQueued } from "./queue/remove-queued.ts";
import { cloneFromUrl } from "./repositories/clone-repository.ts";
import { moveRepository } from "./repositories/move-repository.ts";
import { registerRepository } from "./repositories/register-repository.ts";
import { removeRepository } from "./repositories/remove-repository.ts";
import { addAttempt } from "./requests/add-attempt.ts";
import { cancelFound } from "./requests/cancel-attempt.ts";
import { createTask } from "./requests/create-task.ts";
import { followUpRun, retryRun } from "./requests/follow-up-run.ts";
import { publishAttempt } from "./requests/publish-attempt.ts";
import { resumeFound } from "./requests/resume-run.ts";
import { stopFound } from "./requests/stop-run.ts";
import { restoreEntry } from "./restore/restore-entry.ts";
import { createSettingChanger } from "./settings/change-setting.ts";
import { showSituation } from "./situation/show-situation.ts";
import { listStorage } from "./storage/list-storage.ts";
import { listLogs, removeLogs } from "./storage/run-logs.ts";
import { createStorageScanner, type StorageScanner } from "./storage/scan-storage.ts";
import { findTerminal, openTerminal } from "./terminals/open-terminal.ts";
import { emptyTrash } from "./trash/empty-trash.ts";
import { listTrash } from "./trash/trash-entries.ts";
import { listScripts, trustScripts } from "./trust/trust.ts";
import { undoOperation } from "./undo/undo-operation.ts";
import { markSeen, markViewed, viewedFiles } from "./viewed/viewed-files.ts";

export function createServices(context: ServiceContext): Services {
  const scanner = createStorageScanner(context);
  return {
    keepEnvironment: (id, variables) => context.shells.keep(id, variables),
    inShell: (id) => {
      const shellContext = context.shells.contextOf(context, id);
      return shellContext === null
        ? null
        : {
            ...taskServices(shellContext),
            ...shipServices(shellContext),
            ...repositoryServices(shellContext, scanner),
          };
    },
    ...taskServices(context),
    ...shipServices(context),
    ...queryServices(context),
    ...decisionServices(context),
    ...commentServices(context),
    ...viewedServices(context),
    ...repositoryServices(context, scanner),
    ...trashServices(context, scanner),
  };
}

function taskServices(context: ServiceContext) {
  /** Runs `act` on what the id names; answers with the whole task. */
  const onFound = async (
    id: string,
    act: (found: ResolvedId) => Promise<Result<void, Refusal>>,
  ): Answer<TaskDetail> => {
    const found = await findId(context, id);
    if (found.isErr()) return err(found.error);
    const done = await act(found.value);
    return done.isErr() ? err(done.error) : taskDetail(context, found.value.taskId);
  };
  const detailOf = (id: string): Answer<TaskDetail> => onFound(id, async () => ok(undefined));
  /**
   * A second request with the same key answers with what the first one made. `create` answers with the id of what it
   * made and records it under the key, in one transaction.
   */
  const createOnce = async (
    once: Once,
    create: (key: string | null) => Promise<Result<string, Refusal>>,
    detail = detailOf,
  ): Answer<TaskDetail> => {
    const key = once?.key ?? null;
    const before = key === null ? null : await createdUnder(context.db.reader, key);
    if (before !== null) return detail(before);
    const created = await create(key);
    return created.isErr() ? err(created.error) : detail(created.value);
  };
  const attemptOf = async (run: string) => (await detailOf(run)).map((task) => withAttemptOf(task, run));
  return {
    createTask: (input, once = null) => createOnce(once, (key) => createTask(context, input, key)),
    addAttempt: (input, once = null) => createOnce(once, (key) => addAttempt(context, input, key), attemptOf),
    demo: (input, once = null) => createOnce(once, (key) => makeDemo(context, input, key)),
    followUp: (input, once = null) =>
      createOnce(once, (key) =>
        input.fromReview === null && input.fromChecks === null
          ? followUpRun(context, input, key)
          : sendPoints(context, input, key),
      ),
    retry: (input, once = null) =>
      createOnce(once, (key) => (input.from === "checks" ? recheck : retryRun)(context, input, key)),
    review: (input, once = null) => createOnce(once, (key) => reviewAttempt(context, input, key)),
    publish: (input, once = null) => createOnce(once, (key) => publishAttempt(context, input, key)),
    revert: (input, once = null) => createOnce(once, (key) => revertAttempt(context, input, key), attemptOf),
    compose: (input, once = null) => createOnce(once, (key) => composeTask(context, input, key), attemptOf),
    fork: (input, once = null) => createOnce(once, (key) => forkRun(context, input, key), attemptOf),
    merge: (request) => mergeAttempt(context, request),
    openPullRequest: async (input, once = null) => {
      const found = await findId(context, input.attempt);
      const request = found.map(({ attemptId }) => ({ ...input, attempt: attemptId ?? "" }));
      return request.isErr()
        ? err(request.error)
        : openPullRequest(context, request.value, once?.key ?? null);
    },
    stop: (id) => onFound(id, (found) => stopFound(context, found)),
    changeQueued: (change) => changeQueued(context, change),
    answer: (id, given) => onFound(id, (found) => answerFound(context, found, given)),
    resume: (id) => onFound(id, (found) => resumeFound(context, found)),
    cancel: (id) => onFound(id, (found) => cancelFound(context, found)),
  } satisfies Partial<Services>;
}

/** The task with the attempt of that run alone. */
function withAttemptOf(task: TaskDetail, run: string): TaskDetail {
  const has = ({ runs }: AttemptDetail) => runs.some(({ id }) => id === run);
  return { ...task, attempts: task.attempts.filter(has) };
}

function queryServices(context: ServiceContext) {
  const streams = createStreamCache(context);
  const filesOf = createComparedFiles();
  return {
    find: (id) => findId(context, id),
    task: (id) => taskDetail(context, id),
    tasks: (query) => listTasks(context, query),
    attempts: (query) => listAttempts(context, query),
    runs: (query) => listRuns(context, query),
    log: (runId, query) => runLog(context, streams, { runId, ...query }),
    diff: (of, options) => showDiff(context, of, { ...options, filesOf }),
    diffFiles: (of, query) => diffFilesOf(context, of, { ...query, filesOf }),
    lines: (of, asked) => fileLines(context, of, { ...asked, filesOf }),
    picture: (of, file) => filePicture(context, of, { ...file, filesOf }),
    patch: (of) => wholePatch(context, of),
    operations: (query) => listOperations(context, query),
    forgeWebhook: (call) => takeWebhook(context, call),
    previewPullRequest: (attempt) => previewPullRequest(context, attempt),
    pullRequests: (query) => listPullRequests(context, query),
    pullRequest: (id) => findPullRequest(context, id),
    facts: async ({ after, limit }) => ok(await factsAfter(context.db.reader, after, limit)),
    lastFact: async () => ok(await lastSeq(context.db.reader)),
    onFacts: (listener) => context.newFacts.subscribe(listener),
  } satisfies Partial<Services>;
}

function viewedServices(context: ServiceContext) {
  const memory = { listTouched: createListTouched(), looked: new Map(), looking: new Map() };
  return {
    removeQueued: (runId) => removeQueued(context, runId),
    checks: (attemptId) => showChecks(context, attemptId),
    checkBase: (input) => checkBase(context, input),
    gate: (attemptId) => showGate(context, attemptId),
    situation: (attemptId, { look }) => showSituation(context, attemptId, { look, memory }),
    openTerminal: (request) => openTerminal(context, request),
    terminal: async (asked) => findTerminal(context, asked),
    viewed: (attemptId) => viewedFiles(context, attemptId),
    markViewed: (mark) => markViewed(context, mark),
    markSeen: (mark) => markSeen(context, mark),
  } satisfies Partial<Services>;
}

function trashServices(context: ServiceContext, scanner: StorageScanner) {
  return {
    trash: () => listTrash(context),
    restoreTrash: (id) => restoreEntry(context, id),
    restoreRun: (id) => restoreRun(context, id),
    undo: (id) => undoOperation(context, id),
    storage: (query) => listStorage(context, scanner, query),
    scanStorage: async () => {
      scanner.begin();
      return ok({ scanning: true, scanned_at: scanner.last()?.at ?? null });
    },
    answerRules: (repository) => listRules(context, repository),
    removeAnswerRule: (id) => removeRule(context, id),
    removeDemo: () => removeDemo(context),
    storedLogs: (query) => listLogs(context, scanner, query),
    removeLogs: (runs) => removeLogs(context, scanner, runs),
    clean: (request) => cleanAttempts(context, request),
    emptyTrash: ({ yes }) => emptyTrash(context, { yes, only: null }),
  } satisfies Partial<Services>;
}

function repositoryServices(context: ServiceContext, scanner: StorageScanner) {
  const seen = { readiness: createReadiness(), listTouched: createListTouched() };
  const findFiles = createFileFinder();
  const withConfiguration = async (idOrPath: string) => {
    const repository = await registerRepository(context, idOrPath);
    if (repository.isErr()) return err(repository.error);
    const configuration = await context.configuration(repository.value);
    if (configuration.isErr()) return err(configurationRefusal(configuration.error));
    return ok({ repository: repository.value, configuration: configuration.value });
  };
  return {
    removeDemo: () => removeDemo(context),
    capacity: () => capacity(context),
    taskDraft: () => readTaskDraft(context),
    keepTaskDraft: (content) => keepTaskDraft(context, content),
    previewTask: (input) => previewTask(context, input, { ...seen, worktreeBytes: scanner.bytesOfOne }),
    agents: (query) => agentStatuses(context, query),
    doctor: (query) => doctor(context, query),
    repositories: () => listedRepositories(context),
    branches: (of) => branchesOf(context, of),
    files: (of) => findFiles(context, of),
    fetchRepository: (id, gone) => fetchAsked(context, id, gone),
    addRepository: (path) => registerRepository(context, path),
    cloneRepository: (url, gone) => cloneFromUrl(context, url, { signal: gone }),
    moveRepository: (id, path) => moveRepository(context, id, path),
    removeRepository: (named) => removeRepository(context, named),
    config: (query) => effectiveConfiguration(context, query),
    changeSetting: createSettingChanger(context),
    configSchema: async () => ok(configurationJsonSchema()),
    scripts: async ({ repository }) => {
      const found = await withConfiguration(repository);
      return found.isErr() ? err(found.error) : ok(await listScripts(context, found.value));
    },
    trust: async ({ repository, hashes }) => {
      const found = await withConfiguration(repository);
      return found.isErr() ? err(found.error) : ok(await trustScripts(context, { ...found.value, hashes }));
    },
  } satisfies Partial<Services>;
}
