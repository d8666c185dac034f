/** Creates a task and one attempt per agent, each with its first run in the queue (seed 003 Overall architecture). */
import { err, ok, type Result, safeTry } from "neverthrow";
import { titleOf } from "../../domain/repository/naming.ts";
import type { Repository } from "../../domain/repository/repository.ts";
import type { RunOptions } from "../../domain/run/run.ts";
import type { Task } from "../../domain/task/task.ts";
import type { WriteTransaction } from "../../storage/schema/schema.ts";
import { appendFact } from "../../storage/tables/facts.ts";
import { recordCreated } from "../../storage/tables/idempotency-keys.ts";
import { insertTask } from "../../storage/tables/tasks.ts";
import { agentsOfTask, type ResolvedAgent } from "../agents/resolve-agent.ts";
import { ensureClone } from "../clones/ensure-clone.ts";
import { ownOrCloned } from "../clones/own-or-cloned.ts";
import type { LoadedConfiguration } from "../configuration/load-configuration.ts";
import type { RequestContext, Uses } from "../core/context-parts.ts";
import { ownWorker } from "../core/held-elsewhere.ts";
import { configurationRefusal, type Refusal, refuse } from "../core/refusal.ts";
import { withRepositoryGit } from "../core/repository-git.ts";
import type { CreateTask } from "../core/request-shapes.ts";
import { mayMove } from "../repositories/base-is-shared.ts";
import { existingBranchRefusal } from "../repositories/existing-branch.ts";
import { ownRepository } from "../repositories/own-repository.ts";
import { untrustedScripts } from "../trust/trust.ts";
import { createRuns, insertFirstRun } from "./store-runs.ts";

/** The new task's id, which is also recorded under the idempotency key. Stores nothing if anything is refused. */
export async function createTask(
  context: RequestContext & Uses<"git" | "executors" | "paths" | "locks" | "ownDepot">,
  input: CreateTask,
  key: string | null,
): Promise<Result<string, Refusal>> {
  return safeTry(async function* () {
    const words = wordsRefusal(input);
    if (words !== null) return err(words);
    if (input.onLabels.length > 0 && ownWorker(context) === null) return err(WORKS_ALONE);
    const repository = yield* await repositoryOf(context, input);
    if (input.fromWorktree && repository.url !== null) return err(noWorkingTree(repository));
    yield* await ensureClone(context, repository, { signal: context.engineStop });
    const configuration = yield* (await context.configuration(repository, input.settings)).mapErr(
      configurationRefusal,
    );
    const { agents: asked, branch, offline } = input;
    const agents = yield* agentsOfTask({ agents: asked, branch }, configuration.values, context.executors);
    const found = { repository, configuration };
    if (branch !== null) {
      const git = withRepositoryGit(context, found);
      const taken = await existingBranchRefusal(git, { ...found, branch, offline });
      if (taken !== null) return err(taken);
    }
    const ids = agents.map(({ profile }) => profile.id);
    const untrusted = await untrustedScripts(context, { ...found, agents: ids });
    if (untrusted !== null) return err(untrusted);
    const task = taskOf(context, input, found);
    const isMovable = await mayMove(context, input, found);
    const planned = agents.map((agent, index) => ({
      agent,
      runId: context.newId(),
      options: {
        ...firstRunOptions(input),
        ...(isMovable ? { mayMove: { model: asked[index]?.model ?? null, refusedBy: [] } } : {}),
      },
    }));
    const runIds = planned.map(({ runId }) => runId);
    await createRuns(context, { what: "task", runIds }, (trx) =>
      store(context, trx, { task, input, key, agents: planned, configuration }),
    );
    return ok(task.id);
  });
}

/** A working tree of this machine is in no clone that would be made for it. */
function repositoryOf(context: Parameters<typeof ownOrCloned>[0], input: CreateTask) {
  const { repository, fromWorktree } = input;
  if (fromWorktree) return ownRepository(context, repository);
  return ownOrCloned(context, repository, { signal: context.engineStop });
}

function wordsRefusal(input: CreateTask): Refusal | null {
  if (input.issue.trim() === "")
    return refuse("bad_request", "empty_instruction", "The instruction is empty.", {
      remedy: 'Say what is to be done: `tazuna run "..."`.',
    });
  if (input.fromWorktree && (input.branch !== null || input.base !== null))
    return refuse(
      "bad_request",
      "options_conflict",
      "`--from-worktree` starts from your working tree; it cannot be joined with `--base` or `--branch`.",
      {
        remedy: `Leave out \`--from-worktree\`, or leave out \`${input.branch === null ? "--base" : "--branch"}\`.`,
      },
    );
  return null;
}

const WORKS_ALONE = refuse(
  "conflict",
  "worker_unfit",
  "This Tazuna works alone, so no worker has a label that the task could wait for.",
  { remedy: "Leave out `--on-label`, or work as a team: `tazuna serve --database postgres://…`." },
);

function noWorkingTree({ path, url }: Repository): Refusal {
  const message = `${path} is a clone that Tazuna made of ${url}: it has no working tree of yours.`;
  return refuse("conflict", "no_checkout", message, {
    remedy: "Leave out `--from-worktree`; `--base` names another branch to begin from.",
    details: { path, url },
  });
}

function taskOf(
  context: Uses<"clock" | "newId">,
  input: CreateTask,
  place: { readonly repository: Repository; readonly configuration: LoadedConfiguration },
): Task {
  return {
    id: context.newId(),
    repositoryId: place.repository.id,
    title: input.title?.trim() || titleOf(input.issue),
    issue: input.issue.trim(),
    context: input.context?.trim() || null,
    constraints: input.constraints?.trim() || null,
    base: input.base ?? place.configuration.values.base,
    onLabels: [...new Set(input.onLabels)],
    publish: input.publish ?? place.configuration.values.publish,
    settings: input.settings,
    createdAt: context.clock.iso(),
  };
}

interface ToStore {
  readonly task: Task;
  readonly input: CreateTask;
  readonly key: string | null;
  readonly agents: readonly {
    readonly agent: ResolvedAgent;
    readonly runId: string;
    readonly options: RunOptions;
  }[];
  readonly configuration: LoadedConfiguration;
}

async function store(
  context: Uses<"paths" | "newId" | "shell" | "actor">,
  trx: WriteTransaction,
  created: ToStore,
): Promise<void> {
  const { task, input, key, agents, configuration } = created;
  await insertTask(trx, task);
  if (key !== null) await recordCreated(trx, { key, id: task.id });
  for (const { agent, runId, options } of agents) {
    await insertFirstRun(context, trx, {
      id: runId,
      task,
      configuration,
      agent,
      branch: input.branch,
      baseBranch: task.base,
      origin: null,
      instruction: task.issue,
      offline: input.offline,
      options,
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
