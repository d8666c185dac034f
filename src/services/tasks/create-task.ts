/** Creates a task and one attempt per agent, each with its first run in the queue (seed 003, phase 1). */
import { join } from "node:path";
import { err, ok, type Result } from "neverthrow";
import type { Repository } from "../../domain/repository/repository.ts";
import { branchName, isBranchName, titleOf, worktreeName } from "../../domain/run/naming.ts";
import type { RunOptions } from "../../domain/run/run.ts";
import type { Task } from "../../domain/task/task.ts";
import { insertAttempt } from "../../storage/attempts.ts";
import { appendFact } from "../../storage/facts.ts";
import { recordCreated } from "../../storage/idempotency-keys.ts";
import { insertRun } from "../../storage/runs.ts";
import type { WriteTransaction } from "../../storage/schema.ts";
import { insertTask } from "../../storage/tasks.ts";
import { transact } from "../../storage/transact.ts";
import { type ResolvedAgent, resolveAgent } from "../agents/resolve-agent.ts";
import { configurationRefusal } from "../configuration/configuration-refusal.ts";
import { heldTo } from "../configuration/git-limit.ts";
import type { LoadedConfiguration } from "../configuration/load-configuration.ts";
import { untrustedScripts } from "../configuration/trust.ts";
import { unavailableSetting } from "../configuration/unavailable-settings.ts";
import type { ServiceContext } from "../context.ts";
import { refuse } from "../refusal.ts";
import { existingBranchRefusal } from "../repositories/existing-branch.ts";
import { registerRepository } from "../repositories/register-repository.ts";
import type { CreateTask, Refusal } from "../services.ts";

/** The new task's id, recorded under the idempotency key too; nothing is stored where anything is refused. */
export async function createTask(
  context: ServiceContext,
  input: CreateTask,
  key: string | null,
): Promise<Result<string, Refusal>> {
  const words = wordsRefusal(input);
  if (words !== null) return err(words);
  const repository = await registerRepository(context, input.repository);
  if (repository.isErr()) return err(repository.error);
  const configuration = await context.configuration(repository.value, input.settings);
  if (configuration.isErr()) return err(configurationRefusal(configuration.error));
  const unavailable = unavailableSetting(configuration.value.values);
  if (unavailable !== null) return err(unavailable);
  const agents = resolveAll(context, input, configuration.value);
  if (agents.isErr()) return err(agents.error);
  const branch = await branchRefusal(heldTo(context, configuration.value), {
    input,
    repository: repository.value,
    configuration: configuration.value,
  });
  if (branch !== null) return err(branch);
  const untrusted = await untrustedScripts(context, {
    repository: repository.value,
    configuration: configuration.value,
    agents: input.agents.map((agent) => agent.id),
  });
  if (untrusted !== null) return err(untrusted);
  const task = taskOf(context, input, { repository: repository.value, configuration: configuration.value });
  context.failpoint("create:task");
  await transact(context.db, (trx) =>
    store(context, trx, { task, input, key, agents: agents.value, configuration: configuration.value }),
  );
  context.failpoint("created:task");
  context.bell.ring();
  context.dispatcher().poke();
  return ok(task.id);
}

function wordsRefusal(input: CreateTask): Refusal | null {
  if (input.issue.trim() === "")
    return refuse("bad_request", "empty_instruction", "The instruction is empty.", {
      remedy: 'Say what is to be done: tazuna run "INSTRUCTION".',
    });
  if (input.agents.length === 0)
    return refuse("bad_request", "no_agent", "No agent was named.", {
      remedy: "Name one with `--agent ID`.",
    });
  if (input.branch !== null && input.agents.length > 1)
    return refuse(
      "bad_request",
      "branch_for_one_agent",
      "An existing branch can be worked on by one agent only.",
      {
        remedy: "Leave out `--branch`, or name one agent.",
      },
    );
  if (input.fromWorktree && (input.branch !== null || input.base !== null))
    return refuse(
      "bad_request",
      "options_conflict",
      "`--from-worktree` starts from your working tree; it cannot be joined with `--base` or `--branch`.",
      { remedy: "Leave out one of them." },
    );
  return null;
}

function resolveAll(
  context: ServiceContext,
  input: CreateTask,
  configuration: LoadedConfiguration,
): Result<ResolvedAgent[], Refusal> {
  const resolved: ResolvedAgent[] = [];
  for (const asked of input.agents) {
    const agent = resolveAgent(asked, configuration.values, context.executors);
    if (agent.isErr()) return err(agent.error);
    resolved.push(agent.value);
  }
  return ok(resolved);
}

async function branchRefusal(
  context: ServiceContext,
  of: {
    readonly input: CreateTask;
    readonly repository: Repository;
    readonly configuration: LoadedConfiguration;
  },
): Promise<Refusal | null> {
  const { branch } = of.configuration.values;
  if (!isBranchName(branchName(branch, { runId: context.newId(), title: "x" })))
    return refuse(
      "bad_request",
      "bad_branch_template",
      `The branch template "${branch}" makes names that git refuses.`,
      {
        remedy: "Change `branch` in the configuration, for example to `tazuna/{id8}`.",
      },
    );
  return of.input.branch === null ? null : existingBranchRefusal(context, of.repository, of.input.branch);
}

function taskOf(
  context: ServiceContext,
  input: CreateTask,
  of: { readonly repository: Repository; readonly configuration: LoadedConfiguration },
): Task {
  return {
    id: context.newId(),
    repositoryId: of.repository.id,
    title: input.title?.trim() || titleOf(input.issue),
    issue: input.issue.trim(),
    context: input.context?.trim() || null,
    constraints: input.constraints?.trim() || null,
    base: input.base ?? of.configuration.values.base,
    publish: input.publish ?? of.configuration.values.publish,
    settings: input.settings,
    createdAt: context.clock.iso(),
  };
}

interface ToStore {
  readonly task: Task;
  readonly input: CreateTask;
  readonly key: string | null;
  readonly agents: readonly ResolvedAgent[];
  readonly configuration: LoadedConfiguration;
}

async function store(context: ServiceContext, trx: WriteTransaction, of: ToStore): Promise<void> {
  const { task, input, key, agents, configuration } = of;
  await insertTask(trx, task);
  if (key !== null) await recordCreated(trx, { key, id: task.id });
  for (const agent of agents) {
    const runId = context.newId();
    const attempt = await insertAttempt(trx, {
      id: context.newId(),
      taskId: task.id,
      agent: agent.profile.id,
      executor: agent.executor.id,
      model: agent.profile.model,
      branch: input.branch ?? branchName(configuration.values.branch, { runId, title: task.title }),
      branchExisted: input.branch !== null,
      worktree: join(context.paths.worktrees, worktreeName(runId)),
      base: { branch: task.base, sha: null },
      createdAt: task.createdAt,
    });
    await insertRun(trx, {
      id: runId,
      attemptId: attempt.id,
      kind: "agent",
      instruction: task.issue,
      offline: input.offline,
      held: false,
      options: firstRunOptions(input),
      createdAt: task.createdAt,
    });
  }
  await appendFact(trx, {
    at: task.createdAt,
    kind: "task.created",
    taskId: task.id,
    attemptId: null,
    runId: null,
    data: { title: task.title, attempts: agents.length },
  });
}

function firstRunOptions(input: CreateTask): RunOptions {
  return {
    ...(input.fromWorktree ? { fromWorktree: true } : {}),
    ...(input.budgetUsd === null ? {} : { budgetUsd: input.budgetUsd }),
  };
}
