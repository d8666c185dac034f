/** Begins an attempt that is put together of what several attempts of a task changed. No agent works in it. */
import { err, ok, type Result, safeTry } from "neverthrow";
import { takenWords } from "../../domain/attempt/taken-words.ts";
import { cutToColumns } from "../../domain/text/columns.ts";
import { listed, someOf } from "../../domain/text/listed.ts";
import { readRef } from "../../git/refs/refs.ts";
import { getRepository } from "../../storage/tables/repositories.ts";
import { runsOfAttempt } from "../../storage/tables/runs.ts";
import { getTask } from "../../storage/tables/tasks.ts";
import type { GitContext, RequestContext, Uses } from "../core/context-parts.ts";
import { refuseRepositoryElsewhere } from "../core/held-elsewhere.ts";
import { notFound, type Refusal, refuse, shortId } from "../core/refusal.ts";
import { loadRepositoryGit } from "../core/repository-git.ts";
import type { Compose, Take } from "../core/request-shapes.ts";
import { gitRefusal } from "../landing/landing-world.ts";
import { beginFromTree } from "../requests/begin-from-tree.ts";
import { repositoryTarget } from "../run-core/targets.ts";
import { combineChanges } from "./combine-changes.ts";
import { sourceOf } from "./origin-of.ts";
import { readSource } from "./read-source.ts";
import { type TakenChanges, takeChanges } from "./take-changes.ts";

type ComposeContext = GitContext & RequestContext & Uses<"paths">;

/** The new run's id. If anything does not fit, nothing is made. */
export async function composeTask(
  engine: ComposeContext,
  request: Compose,
  key: string | null,
): Promise<Result<string, Refusal>> {
  const task = await getTask(engine.db.reader, request.task);
  const repository = task && (await getRepository(engine.db.reader, task.repositoryId));
  if (!task || !repository) return err(notFound("task", request.task));
  const elsewhere = await refuseRepositoryElsewhere(engine, repository);
  if (elsewhere !== null) return err(elsewhere);
  const context = await loadRepositoryGit(engine, { task, repository });
  const target = repositoryTarget(repository);
  return safeTry(async function* () {
    const [first, ...others] = yield* await takeAll(context, request);
    if (first === undefined) return err(nothingNew(task.id));
    const { onBaseOf, tree } = yield* await combineChanges(context, target, [first, ...others]);
    const base = onBaseOf.from;
    const before = yield* (await readRef(context.git, target, `${base}^{tree}`)).mapErr(gitRefusal);
    if (before === tree) return err(nothingNew(task.id));
    const sources = [first, ...others];
    const runs = await runsOfAttempt(context.db.reader, onBaseOf.attempt.id);
    const beginning = {
      place: { task, repository },
      tree,
      base,
      baseBranch: onBaseOf.attempt.base.branch,
      agent: null,
      instruction: `Composed of ${listed(sources.map(partWords))}`,
      options: { message: `${cutToColumns(task.title, 72)}\n\nComposed of parts of several attempts.` },
      offline: runs.at(-1)?.offline ?? false,
      settings: request.settings,
      origin: { act: "compose" as const, sources: sources.map(asSource) },
    };
    return beginFromTree(context, beginning, key);
  });
}

/** By attempt, in the order in which they are named first. */
async function takeAll(
  context: Uses<"db" | "git" | "configuration">,
  request: Compose,
): Promise<Result<readonly TakenChanges[], Refusal>> {
  return safeTry(async function* () {
    const taken: TakenChanges[] = [];
    for (const [attempt, takes] of Map.groupBy(request.take, (take: Take) => take.attempt)) {
      const { target, source } = yield* await readSource(context, attempt, request.task);
      taken.push(yield* await takeChanges(context, source, { target, takes }));
    }
    return ok(taken);
  });
}

function asSource({ attempt, to, takes, files }: TakenChanges) {
  const paths = takes.map(({ path, hunks }) => ({ path, hunks: hunks === null ? null : [...hunks] }));
  return sourceOf(attempt, { runId: null, state: to, paths, files });
}

function partWords({ attempt, takes }: TakenChanges): string {
  return `${shortId(attempt.id)} (${someOf(takes.map(takenWords), 5)})`;
}

function nothingNew(task: string): Refusal {
  const message = "What is taken would change nothing against the base.";
  return refuse("conflict", "nothing_to_take", message, {
    remedy: `\`tazuna compare ${shortId(task)}\` shows which attempt changed which file.`,
    details: { task },
  });
}
