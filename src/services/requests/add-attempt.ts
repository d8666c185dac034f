/** Adds an attempt to a task: an agent begins anew on the task's issue, from the base as it is then. */
import { err, ok, type Result, safeTry } from "neverthrow";
import { attemptsOfTask } from "../../storage/tables/attempts.ts";
import { getRepository } from "../../storage/tables/repositories.ts";
import { runsOfTasks } from "../../storage/tables/runs.ts";
import { getTask } from "../../storage/tables/tasks.ts";
import { resolveAgent } from "../agents/resolve-agent.ts";
import type { RequestContext, Uses } from "../core/context-parts.ts";
import type { AddAttempt } from "../core/decide-shapes.ts";
import { refuseRepositoryElsewhere } from "../core/held-elsewhere.ts";
import { configurationRefusal, notFound, type Refusal } from "../core/refusal.ts";
import { untrustedScripts } from "../trust/trust.ts";
import { createRuns, type FirstRun, insertFirstRun, recordRun, settingsOption } from "./store-runs.ts";

type AddContext = RequestContext & Uses<"executors" | "paths">;

/** The id of its first run. The other attempts of the task stay as they are. */
export async function addAttempt(
  context: AddContext,
  input: AddAttempt,
  key: string | null,
): Promise<Result<string, Refusal>> {
  return safeTry(async function* () {
    const task = await getTask(context.db.reader, input.task);
    const repository = task && (await getRepository(context.db.reader, task.repositoryId));
    if (!task || !repository) return err(notFound("task", input.task));
    const elsewhere = await refuseRepositoryElsewhere(context, repository);
    if (elsewhere !== null) return err(elsewhere);
    const settings = { ...task.settings, ...input.settings };
    const configuration = yield* (await context.configuration(repository, settings)).mapErr(
      configurationRefusal,
    );
    const agent = yield* resolveAgent(input.agent, configuration.values, context.executors);
    const agents = [agent.profile.id];
    const untrusted = await untrustedScripts(context, { repository, configuration, agents });
    if (untrusted !== null) return err(untrusted);
    const runId = context.newId();
    const budgetUsd = await budgetOf(context, task.id);
    const first: FirstRun = {
      id: runId,
      task,
      configuration,
      agent,
      branch: null,
      baseBranch: input.base ?? task.base,
      origin: null,
      instruction: task.issue,
      offline: input.offline,
      options: {
        ...(input.base === null ? {} : { base: input.base }),
        ...(budgetUsd === null ? {} : { budgetUsd }),
        ...settingsOption(input.settings),
      },
      createdAt: context.clock.iso(),
    };
    await createRuns(context, { what: "run", runIds: [runId] }, async (trx) => {
      const run = await insertFirstRun(context, trx, first);
      await recordRun(trx, run, { taskId: task.id, key });
    });
    return ok(runId);
  });
}

/** What each attempt of the task may cost, as it was said when the task was made; null if nothing was. */
async function budgetOf({ db }: Uses<"db">, taskId: string): Promise<number | null> {
  const [first] = await attemptsOfTask(db.reader, taskId);
  const runs = await runsOfTasks(db.reader, [taskId]);
  return (
    runs.find(({ attemptId, number }) => attemptId === first?.id && number === 1)?.options.budgetUsd ?? null
  );
}
