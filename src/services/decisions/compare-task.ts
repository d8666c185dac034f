/** Compares the attempts of a task: their facts, which files each touched, and where they overlap. */
import { err, ok, type Result } from "neverthrow";
import { usageOf, workOf } from "../../domain/attempt/attempt-runs.ts";
import { standingOf } from "../../domain/attempt/attempt-state.ts";
import { type Comment, SEVERITIES } from "../../domain/comment/comment.ts";
import { lettersOf, MAX_NAMED, overlapsOf } from "../../domain/decision/comparison.ts";
import type { Evidence } from "../../domain/decision/decision.ts";
import { commentsOfAttempts } from "../../storage/tables/comments.ts";
import type {
  AttemptDetail,
  ComparedAttempt,
  Comparison,
  RunView,
  TaskDetail,
} from "../core/answer-shapes.ts";
import type { Uses } from "../core/context-parts.ts";
import type { Refusal } from "../core/refusal.ts";
import { loadRepositoryGit } from "../core/repository-git.ts";
import { factsAtRest } from "../queries/attempt-details.ts";
import { taskDetail } from "../queries/task-detail.ts";
import { repositoryTarget } from "../run-core/targets.ts";
import type { ListTouched, TouchedFiles } from "./touched-files.ts";

type CompareContext = Uses<"db" | "owner" | "git" | "paths" | "configuration" | "diskFullRuns" | "clock">;

/** Names are hidden only as long as nothing was decided. */
export async function compareTask(
  context: CompareContext,
  taskId: string,
  options: { readonly hideNames: boolean; readonly listTouched: ListTouched },
): Promise<Result<Comparison, Refusal>> {
  const found = await taskDetail(context, taskId);
  if (found.isErr()) return err(found.error);
  const task = found.value;
  const hides = options.hideNames && task.decision === undefined;
  const touched = await touchedByAttempt(context, task, options.listTouched);
  const results = new Map([...touched].map(([id, files]) => [id, files?.results ?? null]));
  const overlaps = overlapsOf(results);
  const letters = lettersOf(task.attempts.map(({ attempt }) => attempt));
  const origins = new Map(task.attempts.map(({ attempt }) => [attempt.id, attempt.origin]));
  const evidence = await evidenceOf(context, task);
  const attempts = evidence.map((each): ComparedAttempt => {
    const facts = hides ? { ...each, agent: null, model: null, usage: null } : each;
    return {
      ...facts,
      letter: letters.get(each.id) ?? "?",
      chosen: task.decision?.attemptId === each.id,
      origin: origins.get(each.id) ?? null,
      changed: touched.get(each.id)?.files.slice(0, MAX_NAMED) ?? null,
      overlap: overlaps.get(each.id) ?? [],
    };
  });
  const byLetter = [...letters.keys()];
  if (hides) attempts.sort((one, other) => byLetter.indexOf(one.id) - byLetter.indexOf(other.id));
  return ok({ task, attempts });
}

/** The facts of every attempt, by number. */
export async function evidenceOf(
  context: Uses<"db" | "clock">,
  task: TaskDetail,
): Promise<readonly Evidence[]> {
  const ids = task.attempts.map(({ attempt }) => attempt.id);
  const comments = await commentsOfAttempts(context.db.reader, ids);
  const now = context.clock.now().getTime();
  return task.attempts.map((detail) =>
    evidenceOfAttempt(detail, { comments: comments.get(detail.attempt.id) ?? [], now }),
  );
}

function evidenceOfAttempt(
  { attempt, runs, branch }: AttemptDetail,
  { comments, now }: { readonly comments: readonly Comment[]; readonly now: number },
): Evidence {
  const facts = runs.map((run) => ({ ...factsAtRest(run), asks: asksPerson(run) }));
  const { state, commit } = standingOf(attempt.state, facts, branch, attempt.merged);
  const work = workOf(runs);
  const checked = work.findLast(({ checks }) => checks.length > 0);
  const { files = null, additions = null, deletions = null } = attempt.patch ?? {};
  return {
    id: attempt.id,
    agent: attempt.agent,
    model: attempt.model,
    state,
    commit,
    checks: checked?.checks.map(({ name, outcome, required }) => ({ name, outcome, required })) ?? null,
    files,
    additions,
    deletions,
    usage: usageOf(runs),
    durationS: secondsOf(work, now),
    comments: countsOf(runs, comments),
  };
}

function asksPerson({ status, question }: RunView): boolean {
  return status === "RUNNING" && question !== null;
}

/** Null before any run began. */
function secondsOf(runs: readonly RunView[], now: number): number | null {
  const begun = runs.flatMap(({ startedAt, endedAt }) =>
    startedAt === null ? [] : [{ startedAt, endedAt }],
  );
  if (begun.length === 0) return null;
  const ms = begun.map(
    ({ startedAt, endedAt }) => (endedAt === null ? now : Date.parse(endedAt)) - Date.parse(startedAt),
  );
  return Math.round(ms.reduce((sum, each) => sum + Math.max(0, each), 0)) / 1000;
}

/** Resolved comments do not count. */
function countsOf(runs: readonly RunView[], comments: readonly Comment[]): Evidence["comments"] {
  const reviewed = runs.some(({ kind, status }) => kind === "review" && status === "SUCCEEDED");
  if (!reviewed) return null;
  const open = comments.filter(({ authorKind, state }) => authorKind === "agent" && state !== "resolved");
  const counts = SEVERITIES.map((severity) => [
    severity,
    open.filter((one) => one.severity === severity).length,
  ]);
  return Object.fromEntries(counts) as Evidence["comments"];
}

/** Null for an attempt that has no patch yet, or whose objects git does not have any more. */
async function touchedByAttempt(
  engine: CompareContext,
  { task, repository, attempts }: TaskDetail,
  listTouched: ListTouched,
): Promise<ReadonlyMap<string, TouchedFiles | null>> {
  const { git } = await loadRepositoryGit(engine, { task, repository });
  const target = repositoryTarget(repository);
  const touched = new Map<string, TouchedFiles | null>();
  for (const { attempt } of attempts) {
    const { id, patch } = attempt;
    const listed = patch === null ? null : await listTouched(git, target, patch);
    touched.set(id, listed?.unwrapOr(null) ?? null);
  }
  return touched;
}
