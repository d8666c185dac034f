/** Finds the true cause of a failed step: git reports something missing, even if the whole place is gone. */
import { join } from "node:path";
import type { Repository } from "../../domain/repository/repository.ts";
import type { FailureCode } from "../../domain/run/failure.ts";
import { readRef } from "../../git/refs/refs.ts";
import { getAttempt } from "../../storage/tables/attempts.ts";
import { isThere } from "../../utils/files/is-there.ts";
import { remainsOf } from "../branches/reattach-worktree.ts";
import type { Uses } from "../core/context-parts.ts";
import { refuseElsewhere } from "../core/held-elsewhere.ts";
import { repositoryGone } from "../run-core/git-failure.ts";
import { failed, type RunWorld, type Step } from "../run-core/step.ts";
import { repositoryTarget } from "../run-core/targets.ts";

/** The codes that git's own words may lead to if the place of its work is gone. */
const DOUBTFUL: ReadonlySet<FailureCode> = new Set([
  "setup_failed",
  "commit_failed",
  "fetch_failed",
  "push_rejected",
  "worktree_lost",
  "internal",
]);

/** The step as it is, or one that says what was really lost. Notes and facts of the step stay. */
export async function trueCause(
  context: Uses<"db" | "owner" | "git">,
  world: RunWorld,
  step: Step,
): Promise<Step> {
  if (step.event !== "fail" || step.failure === undefined || !DOUBTFUL.has(step.failure.code)) return step;
  const { repository } = world;
  // The step itself may have just stored the commit at which the attempt begins.
  const attempt = (await getAttempt(context.db.reader, world.attempt.id)) ?? world.attempt;
  const place = await repositoryPlace(repository);
  if (place !== "there") return { ...step, ...repositoryGone(world, place) };
  if (!(await isSameRepository(context, { attempt, repository })))
    return { ...step, ...repositoryGone(world, "replaced") };
  const elsewhere = await refuseElsewhere(context, attempt.id);
  if (elsewhere !== null && step.failure.code === "internal")
    return { ...step, ...failed("worktree_lost", elsewhere.message, { remedy: elsewhere.remedy }) };
  if (elsewhere !== null || attempt.gitDir === null || (await remainsOf(attempt)) === "whole") return step;
  if (step.failure.code === "worktree_lost") return step;
  return { ...step, ...failed("worktree_lost", `The worktree ${attempt.worktree} is gone or damaged.`) };
}

/** Whether the repository lies at its recorded place; `closed` says why the system does not let us look. */
export async function repositoryPlace({
  commonDir,
}: Pick<Repository, "commonDir">): Promise<"there" | "gone" | { readonly closed: string }> {
  try {
    // Looks inside: a folder without permissions can still be seen from outside.
    const isPresent = (await isThere(join(commonDir, "HEAD"))) || (await isThere(commonDir));
    return isPresent ? "there" : "gone";
  } catch (error) {
    return { closed: error instanceof Error ? error.message : String(error) };
  }
}

/** Whether the repository holds the commit at which the attempt began: another one may lie at its place by now. */
export async function isSameRepository(
  context: Uses<"git">,
  { attempt, repository }: Pick<RunWorld, "attempt" | "repository">,
): Promise<boolean> {
  const { sha } = attempt.base;
  if (sha === null) return true;
  const known = await readRef(context.git, repositoryTarget(repository), `${sha}^{commit}`);
  if (known.isOk()) return known.value !== null;
  // If git gave no answer, that proves nothing.
  const { error } = known;
  if (error.kind === "git_failed") return error.exitCode === null;
  return error.kind === "timed_out" || error.kind === "git_missing";
}
