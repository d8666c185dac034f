/** Handles the endpoints of runs. */
import { err, ok } from "neverthrow";
import { showing } from "../../contract/document-of.ts";
import { answerRuleFields, type RUN_ENDPOINTS } from "../../contract/endpoints/runs.ts";
import type { Answer, Services } from "../../services/core/services.ts";
import { showListedRun, showRunAlone, showTask } from "../documents/show-task.ts";
import type { ApiOptions } from "../http/api-options.ts";
import { logSource } from "../streams/log-stream.ts";
import { type Handlers, listOf, pageOf, shown } from "./handler.ts";
import { findAttempt, nothing } from "./task-handlers.ts";
import { showDone } from "./tidy-handlers.ts";

const showRule = showing(answerRuleFields);

export function runHandlers({
  pingMs = 15_000,
  logPollMs: pollMs = 200,
}: Pick<ApiOptions, "pingMs" | "logPollMs">): Handlers<typeof RUN_ENDPOINTS> {
  return {
    runs: ({ services, request }) => shown(services.runs(request), pageOf(showListedRun)),
    run: ({ services, id }) => shown(findRun(services, id), showRunAlone),
    changeQueued: ({ services, id, request }) =>
      changed(services, id, (run) => services.changeQueued({ run, ...request })),
    removeQueued: ({ services, id }) => changed(services, id, services.removeQueued),
    retry: ({ services, id, request, once }) =>
      shown(services.retry({ ...request, run: id }, once), showTask),
    resume: ({ services, id }) => shown(services.resume(id), showTask),
    answer: ({ services, id, request: { answer: kind, ...given } }) =>
      shown(services.answer(id, { ...given, kind }), showTask),
    answerRules: ({ services, request }) => shown(services.answerRules(request.repository), listOf(showRule)),
    removeAnswerRule: ({ services, id }) => shown(services.removeAnswerRule(id), showRule),
    runDiffFiles: ({ services, id, request }) => services.diffFiles({ run: id }, request),
    runDiff: ({ services, id, request: { path } }) => services.diff({ run: id }, { path }),
    runLines: ({ services, id, request }) => services.lines({ run: id }, request),
    runPicture: ({ services, id, request }) => services.picture({ run: id }, request),
    restoreRun: ({ services, id }) => shown(services.restoreRun(id), showDone),
    followLog: ({ services, id, request }) =>
      shown(services.log(id, { after: 0, limit: 1, tail: null, before: null, query: null }), () =>
        logSource({ services, run: id, after: request.after ?? 0, pollMs, pingMs }),
      ),
    log: ({ services, id, request }) => services.log(id, request),
  };
}

/** The run as it is after the change. */
async function changed(services: Services, id: string, change: (run: string) => Answer<void>) {
  const found = await findRun(services, id);
  if (found.isErr()) return err(found.error);
  const done = await change(found.value.run.id);
  return done.isErr() ? err(done.error) : shown(findRun(services, found.value.run.id), showRunAlone);
}

async function findRun(services: Services, id: string) {
  const parent = await findAttempt(services, id);
  if (parent.isErr()) return err(parent.error);
  const { attempt, found } = parent.value;
  const run = attempt.runs.find((each) => each.id === found.id);
  return run === undefined ? err(nothing("run", id)) : ok({ run, taskId: found.taskId });
}
