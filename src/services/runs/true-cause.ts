/** Looks behind the failure of a step: git only says that something is missing, not that the whole repository or worktree is. */
import { access } from "node:fs/promises";
import type { FailureCode } from "../../domain/run/failure.ts";
import { readRef } from "../../git/refs.ts";
import { getAttempt } from "../../storage/attempts.ts";
import type { ServiceContext } from "../context.ts";
import { remainsOf } from "../worktrees/reattach-worktree.ts";
import { repositoryTarget } from "../worktrees/targets.ts";
import { repositoryGone } from "./git-failure.ts";
import { failed, type RunWorld, type Step } from "./step.ts";

/** What git's own words may come to where the place is gone in which it was to work. */
const DOUBTFUL: ReadonlySet<FailureCode> = new Set([
  "setup_failed",
  "commit_failed",
  "fetch_failed",
  "push_rejected",
  "worktree_lost",
  "internal",
]);

/** The step as it is, or the one that says what was really lost; notes and facts of the step stay. */
export async function trueCause(context: ServiceContext, world: RunWorld, step: Step): Promise<Step> {
  if (step.event !== "fail" || step.failure === undefined || !DOUBTFUL.has(step.failure.code)) return step;
  const { repository } = world;
  // The step itself may just have stored where the attempt begins.
  const attempt = (await getAttempt(context.db.reader, world.attempt.id)) ?? world.attempt;
  const there = await access(repository.commonDir).then(
    () => true,
    () => false,
  );
  if (!there || !(await isSameRepository(context, { attempt, repository })))
    return { ...step, ...repositoryGone(world, there ? "replaced" : "gone") };
  if (attempt.gitDir === null || (await remainsOf(attempt)) === "whole") return step;
  if (step.failure.code === "worktree_lost") return step;
  return { ...step, ...failed("worktree_lost", `The worktree ${attempt.worktree} is gone or damaged.`) };
}

/** Whether the repository holds the commit that the attempt began at: another one may lie at its place by now. */
export async function isSameRepository(
  context: ServiceContext,
  { attempt, repository }: Pick<RunWorld, "attempt" | "repository">,
): Promise<boolean> {
  const { sha } = attempt.base;
  if (sha === null) return true;
  const known = await readRef(context.git, repositoryTarget(repository), `${sha}^{commit}`);
  if (known.isOk()) return known.value !== null;
  // A git that did not come to an answer says nothing against it.
  const { error } = known;
  return error.kind === "timed_out" || (error.kind === "git_failed" && error.exitCode === null);
}
