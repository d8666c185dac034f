/** Begins an attempt from the files that a run left, as uncommitted changes of its base. */
import { err, ok, type Result, safeTry } from "neverthrow";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import { workOf } from "../../domain/attempt/attempt-runs.ts";
import { isSubmodule } from "../../domain/compose/taken-changes.ts";
import type { Run } from "../../domain/run/run.ts";
import { isEnded } from "../../domain/run/state.ts";
import { shellWord } from "../../domain/text/shell-word.ts";
import { diffRecords } from "../../git/index/diff.ts";
import { readRef } from "../../git/refs/refs.ts";
import { commonCommit } from "../../git/refs/rev-list.ts";
import { readRunTrees } from "../../git/refs/run-trees.ts";
import { getRun, runsOfAttempt } from "../../storage/tables/runs.ts";
import { resolveAgent } from "../agents/resolve-agent.ts";
import type { GitContext, RequestContext, Uses } from "../core/context-parts.ts";
import { type AttemptPlace, findPlace } from "../core/find-place.ts";
import { configurationRefusal, notEnded, notFound, type Refusal, refuse, shortId } from "../core/refusal.ts";
import { loadRepositoryGit } from "../core/repository-git.ts";
import type { Fork } from "../core/request-shapes.ts";
import { gitRefusal } from "../landing/landing-world.ts";
import { beginFromTree } from "../requests/begin-from-tree.ts";
import { readStart } from "../run-core/record-start.ts";
import { repositoryTarget } from "../run-core/targets.ts";
import { sourceOf } from "./origin-of.ts";
import { submoduleChanged } from "./take-changes.ts";

type ForkContext = GitContext & RequestContext & Uses<"paths" | "executors">;

/** The new run's id. It does not matter what became of the branch and the worktree that the run worked in. */
export async function forkRun(
  engine: ForkContext,
  request: Fork,
  key: string | null,
): Promise<Result<string, Refusal>> {
  const run = await getRun(engine.db.reader, request.run);
  const place = run && (await findPlace(engine.db.reader, run.attemptId));
  if (!run || !place) return err(notFound("run", request.run));
  const context = await loadRepositoryGit(engine, place);
  return safeTry(async function* () {
    const { attempt, task, repository } = place;
    const target = repositoryTarget(repository);
    const configuration = yield* (
      await context.configuration(repository, { ...task.settings, ...request.settings })
    ).mapErr(configurationRefusal);
    const agent = yield* resolveAgent(request.agent, configuration.values, context.executors);
    if (!isEnded(run.status)) return err(notEnded(run.id));
    const runs = await runsOfAttempt(context.db.reader, attempt.id);
    const { tree, base } = yield* await whatItLeft(context, place, { run, runs, agent: agent.profile.id });
    const records = yield* (await diffRecords(context.git, target, { from: base, to: tree })).mapErr(
      gitRefusal,
    );
    const submodules = records.filter(isSubmodule).map(({ path }) => path);
    if (submodules.length > 0) return err(submoduleChanged(attempt.id, submodules));
    const source = sourceOf(attempt, { runId: run.id, state: tree, paths: null, files: records.length });
    const beginning = {
      place,
      tree,
      base,
      baseBranch: attempt.base.branch,
      agent,
      instruction: request.instruction?.trim() || task.issue,
      options: {},
      offline: runs.at(-1)?.offline ?? false,
      settings: request.settings,
      origin: { act: "fork" as const, sources: [source] },
    };
    return beginFromTree(context, beginning, key);
  });
}

interface ToFork {
  readonly run: Run;
  /** All of its attempt, by number. */
  readonly runs: readonly Run[];
  readonly agent: string;
}

/** The tree of the run, and the commit of the base that it holds. */
async function whatItLeft(
  context: Uses<"git" | "paths">,
  { attempt, repository }: AttemptPlace,
  asked: ToFork,
): Promise<Result<{ readonly tree: string; readonly base: string }, Refusal>> {
  const target = repositoryTarget(repository);
  return safeTry(async function* () {
    const trees = yield* (await readRunTrees(context.git, target, asked.run.id)).mapErr(gitRefusal);
    const base = await baseOf(context, { attempt, repository }, asked);
    const there =
      base === null
        ? null
        : yield* (await readRef(context.git, target, `${base}^{commit}`)).mapErr(gitRefusal);
    if (trees.after !== null && there !== null) return ok({ tree: trees.after, base: there });
    const other = await latestLeft(context, { repository }, asked);
    return err(nothingLeft(attempt, asked, other));
  });
}

/**
 * The attempt's base, or an earlier one: a later run may have merged a newer base. A branch that was there before the
 * attempt is kept as it was: its commits are not the attempt's work.
 */
async function baseOf(
  context: Uses<"git" | "paths">,
  { attempt, repository }: Pick<AttemptPlace, "attempt" | "repository">,
  { run, runs }: ToFork,
): Promise<string | null> {
  const { sha } = attempt.base;
  if (attempt.branchExisted) return workOf(runs).find(({ startSha }) => startSha !== null)?.startSha ?? sha;
  const tip = run.commit ?? run.startSha;
  if (sha === null || tip === null) return sha;
  const merging = (await readStart(context, run.id))?.merging?.split("\n") ?? [];
  let base: string | null = null;
  for (const one of [tip, ...merging]) {
    const common = await commonCommit(context.git, repositoryTarget(repository), { one, other: sha });
    if (common.unwrapOr(null) === sha) return sha;
    base ??= common.unwrapOr(null);
  }
  return base ?? sha;
}

/** The latest other run of the attempt whose files are known. */
async function latestLeft(
  context: Uses<"git">,
  { repository }: Pick<AttemptPlace, "repository">,
  { run, runs }: ToFork,
): Promise<Run | null> {
  for (const other of workOf(runs).toReversed()) {
    if (other.id === run.id || !isEnded(other.status)) continue;
    const trees = await readRunTrees(context.git, repositoryTarget(repository), other.id);
    if (trees.isOk() && trees.value.after !== null) return other;
  }
  return null;
}

function nothingLeft(attempt: Attempt, { run, agent }: ToFork, other: Run | null): Refusal {
  const message = `It is not known what the run ${shortId(run.id)} left.`;
  const remedy =
    other === null
      ? `No run of this attempt left anything: \`tazuna continue ${shortId(attempt.id)} "Go on"\` lets its agent work first.`
      : `\`tazuna fork ${shortId(other.id)} --agent ${shellWord(agent)}\` begins from what another run of it left.`;
  return refuse("conflict", "no_tree", message, { remedy, details: { run: run.id } });
}
