/** Adds an attempt to a task: an agent begins anew on the task's issue, from the base as it is then. */
import { join } from "node:path";
import { err, ok, type Result, safeTry } from "neverthrow";
import { branchName, worktreeName } from "../../domain/repository/naming.ts";
import type { Task } from "../../domain/task/task.ts";
import type { WriteTransaction } from "../../storage/schema/schema.ts";
import { attemptsOfTask, insertAttempt } from "../../storage/tables/attempts.ts";
import { appendFact } from "../../storage/tables/facts.ts";
import { recordCreated } from "../../storage/tables/idempotency-keys.ts";
import { getRepository } from "../../storage/tables/repositories.ts";
import { insertRun, runsOfTasks } from "../../storage/tables/runs.ts";
import { getTask } from "../../storage/tables/tasks.ts";
import { type ResolvedAgent, resolveAgent } from "../agents/resolve-agent.ts";
import type { RequestContext, Uses } from "../core/context-parts.ts";
import type { AddAttempt } from "../core/decide-shapes.ts";
import { configurationRefusal, notFound, type Refusal } from "../core/refusal.ts";
import { untrustedScripts } from "../trust/trust.ts";
import { createRuns, settingsOption, shellOption } from "./add-run.ts";

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
    const settings = { ...task.settings, ...input.settings };
    const configuration = yield* (await context.configuration(repository, settings)).mapErr(
      configurationRefusal,
    );
    const agent = yield* resolveAgent(input.agent, configuration.values, context.executors);
    const agents = [agent.profile.id];
    const untrusted = await untrustedScripts(context, { repository, configuration, agents });
    if (untrusted !== null) return err(untrusted);
    const runId = context.newId();
    const branch = branchName(configuration.values.branch, { runId, title: task.title });
    const budgetUsd = await budgetOf(context, task.id);
    await createRuns(context, { what: "run", runIds: [runId] }, (trx) =>
      store(context, trx, { task, input, agent, runId, branch, budgetUsd, key }),
    );
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

interface ToStore {
  readonly task: Task;
  readonly input: AddAttempt;
  readonly agent: ResolvedAgent;
  readonly runId: string;
  readonly branch: string;
  readonly budgetUsd: number | null;
  readonly key: string | null;
}

async function store(context: AddContext, trx: WriteTransaction, added: ToStore): Promise<void> {
  const { task, input, agent, runId, branch, budgetUsd, key } = added;
  const createdAt = context.clock.iso();
  const attempt = await insertAttempt(trx, {
    id: context.newId(),
    taskId: task.id,
    agent: agent.profile.id,
    executor: agent.executor.id,
    model: agent.profile.model,
    branch,
    branchExisted: false,
    worktree: join(context.paths.worktrees, worktreeName(runId)),
    base: { branch: task.base, sha: null },
    origin: null,
    createdAt,
  });
  const run = await insertRun(trx, {
    id: runId,
    attemptId: attempt.id,
    kind: "agent",
    instruction: task.issue,
    offline: input.offline,
    held: false,
    options: {
      ...(budgetUsd === null ? {} : { budgetUsd }),
      ...settingsOption(input.settings),
      ...shellOption(context),
    },
    createdAt,
  });
  if (key !== null) await recordCreated(trx, { key, id: runId });
  const data = { number: run.number, kind: run.kind };
  const ids = { taskId: task.id, attemptId: attempt.id, runId };
  await appendFact(trx, { at: createdAt, kind: "run.created", ...ids, data });
}
