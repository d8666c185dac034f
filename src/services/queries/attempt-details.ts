/** Reads attempts with their runs and their branches. A person may have moved a branch, so that git is asked for it. */
import type { Attempt } from "../../domain/attempt/attempt.ts";
import { leftAt, workOf } from "../../domain/attempt/attempt-runs.ts";
import { type RunFacts, standingOf } from "../../domain/attempt/attempt-state.ts";
import type { Run } from "../../domain/run/run.ts";
import type { Task } from "../../domain/task/task.ts";
import { isCommitUndone } from "../../domain/undo/undone-commit.ts";
import { readBranchFile } from "../../git/process/locate-git-dir.ts";
import { listRefs } from "../../git/refs/refs.ts";
import { repositoryOfAttempt } from "../../storage/tables/attempts.ts";
import { decisionsOfTasks } from "../../storage/tables/decisions.ts";
import { pullRequestsOf } from "../../storage/tables/pull-requests.ts";
import { getRepository } from "../../storage/tables/repositories.ts";
import { getTask } from "../../storage/tables/tasks.ts";
import { atRest, withPatchNow } from "../attempts/attempt-patch.ts";
import { isPublished } from "../attempts/published.ts";
import type { AttemptDetail, RunView } from "../core/answer-shapes.ts";
import type { Uses } from "../core/context-parts.ts";
import type { AttemptPlace } from "../core/find-place.ts";
import { othersOf } from "../core/held-elsewhere.ts";
import { loadRepositoryGit } from "../core/repository-git.ts";
import { copiesOf } from "../depot/copies-of.ts";
import { offersOf } from "../returned/left-of.ts";
import { repositoryTarget } from "../run-core/targets.ts";
import { runViews } from "./run-views.ts";

/**
 * In the order of `attempts`. `known` are tasks that were read already. Reads branches only if a person may have moved
 * them, and at most once for each repository.
 */
export async function attemptDetails(
  engine: Uses<"db" | "owner" | "git" | "paths" | "configuration" | "diskFullRuns">,
  attempts: readonly { readonly attempt: Attempt; readonly runs: readonly Run[] }[],
  known: ReadonlyMap<string, Task> = new Map(),
): Promise<readonly AttemptDetail[]> {
  const runs = attempts.flatMap((each) => each.runs);
  const views = Map.groupBy(await runViews(engine, runs), ({ attemptId }) => attemptId);
  const rows: Row[] = [];
  for (const { attempt } of attempts) {
    const parents = await parentsOf(engine, attempt, known);
    rows.push({ attempt, runs: views.get(attempt.id) ?? [], ...parents });
  }
  const tips = new Map<string, ReadonlyMap<string, string>>();
  for (const [id, sameRepository] of Map.groupBy(rows, ({ repository }) => repository.id))
    tips.set(id, await tipsOf(engine, sameRepository));
  const decisions = await decisionsOfTasks(engine.db.reader, [...new Set(rows.map(({ task }) => task.id))]);
  const pullRequests = await pullRequestsOf(
    engine.db.reader,
    rows.map(({ attempt }) => attempt.id),
  );
  const elsewhere = await othersOf(
    engine,
    rows.map(({ attempt }) => attempt.id),
  );
  const copies = await copiesOf(engine, rows);
  const offers = await offersOf(
    engine,
    rows.map(({ attempt }) => attempt.id),
  );
  const details: AttemptDetail[] = [];
  for (const row of rows) {
    const detail = await detailOf(engine, row, tips.get(row.repository.id)?.get(row.attempt.branch) ?? null);
    const decision = decisions.get(row.task.id);
    const pullRequest = pullRequests.get(row.attempt.id);
    const worker = elsewhere.get(row.attempt.id);
    const copy = copies.get(row.attempt.id);
    const cameBack = offers.get(row.attempt.id);
    details.push({
      ...detail,
      ...(decision === undefined ? {} : { decision }),
      ...(pullRequest === undefined ? {} : { pullRequest }),
      ...(worker === undefined ? {} : { worker }),
      ...(copy === undefined ? {} : { copy }),
      ...(cameBack === undefined ? {} : { cameBack }),
    });
  }
  return details;
}

interface Row extends AttemptPlace {
  /** In the order in which they work. */
  readonly runs: readonly RunView[];
}

async function parentsOf(
  { db }: Uses<"db">,
  { id, taskId }: Attempt,
  known: ReadonlyMap<string, Task>,
): Promise<Pick<Row, "repository" | "task">> {
  const task = known.get(taskId) ?? (await getTask(db.reader, taskId));
  const clone = await repositoryOfAttempt(db.reader, id);
  const repository = clone && (await getRepository(db.reader, clone));
  if (!task || !repository) throw new Error(`attempt ${id} has no task, or no repository`);
  return { repository, task };
}

/**
 * By branch: its tip, for attempts that are open and have no working run. Nearly always, the file of the reference has
 * the answer. If git cannot be asked for the others, they count as absent.
 */
async function tipsOf(
  engine: Uses<"git" | "configuration">,
  rows: readonly Row[],
): Promise<ReadonlyMap<string, string>> {
  const tips = new Map<string, string>();
  const others: Row[] = [];
  for (const row of rows.filter(isIdle)) {
    const { branch } = row.attempt;
    const tip = readBranchFile(row.repository.commonDir, branch);
    if (tip === null) others.push(row);
    else tips.set(branch, tip);
  }
  const [first] = others;
  if (first === undefined) return tips;
  const { git } = await loadRepositoryGit(engine, first);
  const prefixes = others.map(({ attempt }) => `refs/heads/${attempt.branch}`);
  // If the system does not let us read the repository, git cannot be asked either.
  const refs = await listRefs(git, repositoryTarget(first.repository), { prefixes }).catch(() => null);
  for (const { name, sha } of refs?.unwrapOr([]) ?? []) tips.set(name.slice("refs/heads/".length), sha);
  return tips;
}

function isIdle({ attempt, runs }: Row): boolean {
  const { state, gitDir, base } = attempt;
  return state === "open" && gitDir !== null && base.sha !== null && workOf(runs).every(atRest);
}

async function detailOf(
  engine: Uses<"db" | "git" | "configuration">,
  row: Row,
  tip: string | null,
): Promise<AttemptDetail> {
  const { runs } = row;
  const attempt = await withPatch(engine, row, tip);
  if (tip === null) return { attempt, runs };
  const first = workOf(runs).find(({ startSha }) => startSha !== null)?.startSha ?? null;
  const branch = { tip, beganAt: [attempt.base.sha, first], left: leftAt(runs), published: false };
  const { state } = standingOf("open", runs.map(factsAtRest), branch);
  const published = state === "committed" && (await isTipPublished(engine, row, tip));
  return { attempt, runs, branch: { ...branch, published } };
}

/** If git cannot count, the numbers are shown as unknown. */
async function withPatch(
  engine: Uses<"db" | "git" | "configuration">,
  row: Row,
  tip: string | null,
): Promise<Attempt> {
  const { attempt } = row;
  const isKnown = attempt.patch !== null && (tip === null || tip === attempt.patch.tip);
  if (isKnown || attempt.gitDir === null) return attempt;
  const context = await loadRepositoryGit(engine, row);
  return (await withPatchNow(context, { ...row, tip })).unwrapOr({ ...attempt, patch: null });
}

async function isTipPublished(
  engine: Uses<"git" | "configuration">,
  row: Row,
  sha: string,
): Promise<boolean> {
  const { repository, task, attempt } = row;
  const configuration = (await engine.configuration(repository, task.settings)).unwrapOr(null);
  if (configuration === null) return false;
  const context = await loadRepositoryGit(engine, row);
  const published = await isPublished(context, { repository, configuration, branch: attempt.branch, sha });
  return published.unwrapOr(false);
}

/** The facts of a run in an attempt at rest, so that no agent asks a question. */
export function factsAtRest(run: Run): RunFacts {
  return { ...run, undone: isCommitUndone(run.notes), asks: false, began: run.startedAt !== null };
}
