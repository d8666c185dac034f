/** Adds an attempt to a task that begins from a given tree: with an agent, or without one. */
import { join } from "node:path";
import { err, ok, type Result, safeTry } from "neverthrow";
import { NO_AGENT } from "../../domain/attempt/attempt.ts";
import type { Origin } from "../../domain/attempt/origin.ts";
import { branchName, worktreeName } from "../../domain/repository/naming.ts";
import type { RunOptions } from "../../domain/run/run.ts";
import type { TaskSettings } from "../../domain/task/task-settings.ts";
import { dropStartTree, keepStartTree, type StartTree } from "../../git/refs/start-tree.ts";
import { insertAttempt } from "../../storage/tables/attempts.ts";
import { appendFact } from "../../storage/tables/facts.ts";
import { recordCreated } from "../../storage/tables/idempotency-keys.ts";
import { getRepository } from "../../storage/tables/repositories.ts";
import { getRun, insertRun } from "../../storage/tables/runs.ts";
import { getTask } from "../../storage/tables/tasks.ts";
import type { ResolvedAgent } from "../agents/resolve-agent.ts";
import type { LoadedConfiguration } from "../configuration/load-configuration.ts";
import type { GitContext, RequestContext, Uses } from "../core/context-parts.ts";
import type { AttemptPlace } from "../core/find-place.ts";
import { journaled } from "../core/journal.ts";
import { configurationRefusal, type Refusal, refuse } from "../core/refusal.ts";
import { withRepositoryGit } from "../core/repository-git.ts";
import { repositoryTarget } from "../run-core/targets.ts";
import { untrustedScripts } from "../trust/trust.ts";
import { createRuns, settingsOption, shellOption } from "./add-run.ts";

type Place = Pick<AttemptPlace, "task" | "repository">;

interface Beginning extends StartTree {
  /** A commit and a tree of the task's repository. */
  readonly place: Place;
  /** The name of the base, for people and for pull requests; null if it is a tag or a commit. */
  readonly baseBranch: string | null;
  /** Null: no agent works; the tree is staged, judged, checked, committed and pushed as it is. */
  readonly agent: ResolvedAgent | null;
  /** What the agent is asked; without an agent, what the commit does. */
  readonly instruction: string;
  readonly options: Pick<RunOptions, "message">;
  readonly offline: boolean;
  readonly settings: TaskSettings;
  /** The work of others that the tree holds; null if it holds none that is named. */
  readonly origin: Origin | null;
}

/** The new run's id. The tree is kept before any row names it; if nothing comes of it, it is dropped again. */
export async function beginFromTree(
  context: GitContext & RequestContext & Uses<"paths">,
  beginning: Beginning,
  key: string | null,
): Promise<Result<string, Refusal>> {
  return safeTry(async function* () {
    const { place, agent, tree, base, settings } = beginning;
    const { task, repository } = place;
    const configuration = yield* (
      await context.configuration(repository, { ...task.settings, ...settings })
    ).mapErr(configurationRefusal);
    const agents = agent === null ? [] : [agent.profile.id];
    const untrusted = await untrustedScripts(context, { repository, configuration, agents });
    if (untrusted !== null) return err(untrusted);
    const held = withRepositoryGit(context, { repository, configuration });
    const target = repositoryTarget(repository);
    const run = context.newId();
    const before = { run, tree, base };
    const subject = { type: "task", id: task.id } as const;
    const kept = await journaled(
      held,
      { kind: "tree_kept", subject, before },
      async () => {
        const made = await keepStartTree(held.git, target, before);
        if (made.isErr()) return err(made.error);
        try {
          await store(context, { beginning, configuration, run, key });
        } catch (error) {
          await dropStartTree(held.git, target, run);
          throw error;
        }
        return ok(undefined);
      },
      () => ({ run }),
    );
    if (kept.isErr()) return err(notKept(kept.error.message));
    return ok(run);
  });
}

/** After a crash: drops what was kept for a run that was never created. */
export async function dropUnusedTree(
  context: Uses<"db" | "git">,
  taskId: string,
  run: string,
): Promise<void> {
  const task =
    (await getRun(context.db.reader, run)) === null ? await getTask(context.db.reader, taskId) : null;
  const repository = task && (await getRepository(context.db.reader, task.repositoryId));
  if (!repository) return;
  const dropped = await dropStartTree(context.git, repositoryTarget(repository), run);
  if (dropped.isErr()) throw new Error(dropped.error.message);
}

interface ToStore {
  readonly beginning: Beginning;
  readonly configuration: LoadedConfiguration;
  readonly run: string;
  readonly key: string | null;
}

async function store(
  context: RequestContext & Uses<"paths">,
  { beginning, configuration, run, key }: ToStore,
): Promise<void> {
  const { place, agent, tree, base, baseBranch, instruction, options, offline, settings, origin } = beginning;
  const { task } = place;
  const createdAt = context.clock.iso();
  await createRuns(context, { what: "run", runIds: [run] }, async (trx) => {
    const attempt = await insertAttempt(trx, {
      id: context.newId(),
      taskId: task.id,
      agent: agent?.profile.id ?? NO_AGENT,
      executor: agent?.executor.id ?? NO_AGENT,
      model: agent?.profile.model ?? null,
      branch: branchName(configuration.values.branch, { runId: run, title: task.title }),
      branchExisted: false,
      worktree: join(context.paths.worktrees, worktreeName(run)),
      base: { branch: baseBranch, sha: null },
      origin,
      createdAt,
    });
    const inserted = await insertRun(trx, {
      id: run,
      attemptId: attempt.id,
      kind: agent === null ? "commit" : "agent",
      instruction,
      offline,
      held: false,
      options: { ...options, fromTree: { tree, base }, ...settingsOption(settings), ...shellOption(context) },
      createdAt,
    });
    if (key !== null) await recordCreated(trx, { key, id: run });
    await appendFact(trx, {
      at: createdAt,
      kind: "run.created",
      taskId: task.id,
      attemptId: attempt.id,
      runId: run,
      data: { number: inserted.number, kind: inserted.kind },
    });
  });
}

function notKept(message: string): Refusal {
  return refuse("failed", "git_failed", message, { remedy: "Mend what git says, then ask again." });
}
