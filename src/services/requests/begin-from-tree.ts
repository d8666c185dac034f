/** Adds an attempt to a task that begins from a given tree: with an agent, or without one. */
import { err, ok, type Result, safeTry } from "neverthrow";
import type { RunOptions } from "../../domain/run/run.ts";
import type { TaskSettings } from "../../domain/task/task-settings.ts";
import { dropStartTree, keepStartTree, type StartTree } from "../../git/refs/start-tree.ts";
import { getRepository } from "../../storage/tables/repositories.ts";
import { getRun } from "../../storage/tables/runs.ts";
import { getTask } from "../../storage/tables/tasks.ts";
import type { LoadedConfiguration } from "../configuration/load-configuration.ts";
import type { GitContext, RequestContext, Uses } from "../core/context-parts.ts";
import type { AttemptPlace } from "../core/find-place.ts";
import { refuseRepositoryElsewhere } from "../core/held-elsewhere.ts";
import { journaled } from "../core/journal.ts";
import { configurationRefusal, type Refusal, refuse } from "../core/refusal.ts";
import { withRepositoryGit } from "../core/repository-git.ts";
import { repositoryTarget } from "../run-core/targets.ts";
import { untrustedScripts } from "../trust/trust.ts";
import { createRuns, type FirstRun, insertFirstRun, recordRun, settingsOption } from "./store-runs.ts";

type Place = Pick<AttemptPlace, "task" | "repository">;

interface Beginning extends StartTree, Pick<FirstRun, "agent" | "baseBranch" | "offline" | "origin"> {
  /** Its repository holds the commit and the tree. */
  readonly place: Place;
  /** What the agent is asked; without an agent, what the commit does. */
  readonly instruction: string;
  readonly options: Pick<RunOptions, "message">;
  readonly settings: TaskSettings;
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
    const elsewhere = await refuseRepositoryElsewhere(context, repository);
    if (elsewhere !== null) return err(elsewhere);
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
  const { place, tree, base, options, settings, ...first } = beginning;
  const { task } = place;
  const createdAt = context.clock.iso();
  await createRuns(context, { what: "run", runIds: [run] }, async (trx) => {
    const inserted = await insertFirstRun(context, trx, {
      ...first,
      id: run,
      task,
      configuration,
      branch: null,
      options: { ...options, fromTree: { tree, base }, ...settingsOption(settings) },
      createdAt,
    });
    await recordRun(trx, inserted, { taskId: task.id, key });
  });
}

function notKept(message: string): Refusal {
  return refuse("failed", "git_failed", message, { remedy: "Mend what git says, then ask again." });
}
