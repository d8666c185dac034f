/** Stores runs that a person asked for, the first of an attempt together with the attempt, and wakes the queue. */
import { join } from "node:path";
import { NO_AGENT } from "../../domain/attempt/attempt.ts";
import type { Origin } from "../../domain/attempt/origin.ts";
import { branchName, worktreeName } from "../../domain/repository/naming.ts";
import type { Run, RunOptions } from "../../domain/run/run.ts";
import type { Task } from "../../domain/task/task.ts";
import type { TaskSettings } from "../../domain/task/task-settings.ts";
import type { WriteTransaction } from "../../storage/schema/schema.ts";
import { insertAttempt } from "../../storage/tables/attempts.ts";
import { appendFact } from "../../storage/tables/facts.ts";
import { recordCreated } from "../../storage/tables/idempotency-keys.ts";
import { insertRun } from "../../storage/tables/runs.ts";
import { transact } from "../../storage/transact.ts";
import type { ResolvedAgent } from "../agents/resolve-agent.ts";
import type { LoadedConfiguration } from "../configuration/load-configuration.ts";
import type { RequestContext, Uses } from "../core/context-parts.ts";
import { placeRuns } from "../placing/tell-worker.ts";
import { listAgain } from "../repositories/repository-changed.ts";

/**
 * Stores runs and wakes the queue. They have the environment of their shell before anything can begin them.
 */
export async function createRuns<T>(
  context: RequestContext,
  { what, runIds }: { readonly what: "task" | "run"; readonly runIds: readonly string[] },
  store: (trx: WriteTransaction) => Promise<T>,
): Promise<T> {
  const { db, shells, shell } = context;
  context.failpoint(`create:${what}`);
  for (const id of runIds) shells.bindToRun(shell, id);
  const { stored, elsewhere } = await transact(db, async (trx) => ({
    stored: await store(trx),
    elsewhere: await placeRuns(context, trx, runIds),
  })).catch((error: unknown) => {
    for (const id of runIds) shells.release(id);
    throw error;
  });
  // Another worker drives these, in the environment of its own engine.
  for (const id of elsewhere) shells.release(id);
  context.failpoint(`created:${what}`);
  context.newFacts.notify();
  context.dispatcher().poke();
  return stored;
}

/** What is known of an attempt and its first run when they are asked for. */
export interface FirstRun extends Pick<Run, "id" | "instruction" | "offline" | "options" | "createdAt"> {
  readonly task: Task;
  readonly configuration: LoadedConfiguration;
  /** Null: no agent works; what the attempt begins from is committed as it is. */
  readonly agent: ResolvedAgent | null;
  /** A branch that is there already; null: the attempt gets a new one. */
  readonly branch: string | null;
  /** The name of the base, for people and for pull requests; null if it is a tag or a commit. */
  readonly baseBranch: string | null;
  /** The work of others that it begins with; null if it begins with none that is named. */
  readonly origin: Origin | null;
}

/** Adds an attempt to its task, with its first run. */
export async function insertFirstRun(
  context: Uses<"newId" | "paths" | "shell" | "actor">,
  trx: WriteTransaction,
  first: FirstRun,
): Promise<Run> {
  const { id, task, agent, branch, createdAt } = first;
  await listAgain(trx, { id: task.repositoryId, at: createdAt });
  const attempt = await insertAttempt(trx, {
    id: context.newId(),
    taskId: task.id,
    agent: agent?.profile.id ?? NO_AGENT,
    executor: agent?.executor.id ?? NO_AGENT,
    model: agent?.profile.model ?? null,
    branch: branch ?? branchName(first.configuration.values.branch, { runId: id, title: task.title }),
    branchExisted: branch !== null,
    worktree: join(context.paths.worktrees, worktreeName(id)),
    base: { branch: first.baseBranch, sha: null },
    origin: first.origin,
    createdAt,
  });
  return insertRun(trx, {
    id,
    attemptId: attempt.id,
    kind: agent === null ? "commit" : "agent",
    instruction: first.instruction,
    offline: first.offline,
    held: false,
    options: { ...first.options, ...askedFrom(context) },
    createdAt,
  });
}

/** Keeps the run under its idempotency key, and tells all who listen that it is there. */
export async function recordRun(
  trx: WriteTransaction,
  run: Run,
  { taskId, key }: { readonly taskId: string; readonly key: string | null },
): Promise<void> {
  if (key !== null) await recordCreated(trx, { key, id: run.id });
  await appendFact(trx, {
    at: run.createdAt,
    kind: "run.created",
    taskId,
    attemptId: run.attemptId,
    runId: run.id,
    data: { number: run.number, kind: run.kind },
  });
}

/** Empty if no setting is set. */
export function settingsOption(settings: TaskSettings): Pick<RunOptions, "settings"> {
  return Object.keys(settings).length === 0 ? {} : { settings };
}

/** Who asked for the run, and whether that was from a shell. */
export function askedFrom({
  shell,
  actor,
}: Uses<"shell" | "actor">): Pick<RunOptions, "fromShell" | "actor"> {
  return { ...(shell === null ? {} : { fromShell: true }), ...(actor === null ? {} : { actor }) };
}
