/** Gathers what must be known of attempts before any of them may be cleaned up. */
import { lstat } from "node:fs/promises";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import type { AttemptFacts, Work } from "../../domain/clean/judge-attempt.ts";
import type { Repository } from "../../domain/repository/repository.ts";
import type { Run } from "../../domain/run/run.ts";
import { isEnded } from "../../domain/run/state.ts";
import { heldElsewhere } from "../../git/held-elsewhere.ts";
import { findWork } from "../../git/uncommitted.ts";
import { branchesOfRepositories } from "../../storage/attempt-branches.ts";
import { getRepository } from "../../storage/repositories.ts";
import { runsOfAttempt } from "../../storage/runs.ts";
import { getTask } from "../../storage/tasks.ts";
import type { ServiceContext } from "../context.ts";
import { pointsAt } from "../worktrees/own-pointer.ts";
import { repositoryTarget, worktreeTarget } from "../worktrees/targets.ts";
import { findWorkers } from "./find-workers.ts";

export interface LookedAt {
  readonly attempt: Attempt;
  readonly facts: AttemptFacts;
}

interface Known {
  readonly attempt: Attempt;
  readonly repository: Repository | null;
  readonly runs: readonly Run[];
  readonly place: AttemptFacts["place"];
}

/** Git is asked a few times for each attempt whose answer matters, and twice more for each repository. */
export async function lookAtAttempts(
  context: ServiceContext,
  attempts: readonly Attempt[],
  named: boolean,
): Promise<readonly LookedAt[]> {
  const all: Known[] = [];
  for (const attempt of attempts) all.push(await lookAround(context, attempt));
  const idle = all.filter(({ attempt, runs }) => attempt.state === "open" && runs.every(hasEnded));
  const workers = await findWorkers(idle);
  const quiet = idle.filter(({ attempt, place }) => place === "there" && !workers.has(attempt.id));
  const works = await lookInside(context, quiet);
  return all.map(({ attempt, runs, place }) => {
    const { id, branch, worktree, state, cleanUp } = attempt;
    const work = works.get(id) ?? { of: "not_asked" };
    const pids = workers.get(id) ?? [];
    return { attempt, facts: { id, branch, worktree, state, cleanUp, named, runs, place, pids, work } };
  });
}

const hasEnded = ({ status }: Run) => isEnded(status);

/** What is known without git. */
async function lookAround(context: ServiceContext, attempt: Attempt): Promise<Known> {
  const { reader } = context.db;
  const task = await getTask(reader, attempt.taskId);
  const repository = task && (await getRepository(reader, task.repositoryId));
  const found = await lstat(attempt.worktree).catch(() => null);
  const place = found === null ? "gone" : found.isDirectory() ? "there" : "replaced";
  return { attempt, repository, runs: await runsOfAttempt(reader, attempt.id), place };
}

async function lookInside(
  context: ServiceContext,
  quiet: readonly Known[],
): Promise<ReadonlyMap<string, Work>> {
  const works = new Map<string, Work>();
  for (const of of Map.groupBy(quiet, (each) => each.repository?.id).values()) {
    const repository = of[0]?.repository ?? null;
    const seen: Seen[] = [];
    for (const { attempt } of of) seen.push(await lookAtWork(context, attempt));
    const commits = seen.flatMap(({ head }) => head ?? []);
    const held = repository === null ? new Set() : await heldIn(context, repository, commits);
    for (const { id, head, work } of seen)
      works.set(id, work.of === "known" ? { ...work, heldElsewhere: held.has(head) } : work);
  }
  return works;
}

interface Seen {
  readonly id: string;
  readonly head: string | null;
  readonly work: Work;
}

async function lookAtWork(context: ServiceContext, attempt: Attempt): Promise<Seen> {
  const { id, gitDir, branch } = attempt;
  if (gitDir === null) return { id, head: null, work: { of: "not_asked" } };
  const found = await findWork(context.git, worktreeTarget(attempt));
  if (found.isErr()) return { id, head: null, work: { of: "unknown", message: found.error.message } };
  const { head, ...work } = found.value;
  const linked = pointsAt(attempt.worktree, gitDir);
  const onBranch = head.branch === branch && head.sha !== null;
  return { id, head: head.sha, work: { of: "known", ...work, linked, onBranch, heldElsewhere: false } };
}

/** What git cannot say is not held. */
async function heldIn(
  context: ServiceContext,
  repository: Repository,
  commits: readonly string[],
): Promise<ReadonlySet<unknown>> {
  const except = await branchesOfRepositories(context.db.reader, [repository.id]);
  const held = await heldElsewhere(context.git, repositoryTarget(repository), { commits, except });
  return held.unwrapOr(new Set<string>());
}
