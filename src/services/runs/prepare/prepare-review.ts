/** Prepares a review: the attempt's worktree as it is. Nothing is fetched, synced or made. */
import { err, ok, type Result, safeTry } from "neverthrow";
import { openFolder } from "../../../utils/files/remove-tree.ts";
import { remainsOf } from "../../branches/reattach-worktree.ts";
import { checkPointers } from "../../confinement/check-git-files.ts";
import type { GitContext, Uses } from "../../core/context-parts.ts";
import { gitFailedAt } from "../../run-core/git-failure.ts";
import { readMergeHead } from "../../run-core/record-start.ts";
import { failed, note, type RunWorld, type Step } from "../../run-core/step.ts";
import { mendedNotes, mendWorktree } from "../../worktrees/mend-worktree.ts";
import type { Prepared } from "./prepare-first.ts";
import { proveBranch } from "./prove-branch.ts";

export async function prepareReview(
  context: GitContext & Uses<"paths">,
  world: RunWorld,
): Promise<Result<Prepared, Step>> {
  return safeTry(async function* () {
    const { attempt } = world;
    const { gitDir } = attempt;
    if (gitDir === null) return err(failed("worktree_lost", "The attempt has no worktree to read.", HOW));
    await openFolder(attempt.worktree);
    if ((await remainsOf(attempt)) !== "whole")
      return err(failed("worktree_lost", `The worktree ${attempt.worktree} is not there as a whole.`, HOW));
    const mended = yield* (await mendWorktree(context, world)).mapErr(gitFailedAt("worktree"));
    const pointers = yield* await checkPointers(context, world);
    yield* await proveBranch(context, world);
    if ((await readMergeHead(gitDir)) !== null) return err(failed("conflict", MERGING, TO_CONCLUDE));
    const own = world.run.options.review?.own === true ? [note("own_review", OWN)] : [];
    return ok({ notes: [...mendedNotes(mended), ...pointers, ...own], gitDir, cleanAt: null });
  });
}

const OWN = "The agent reviewed its own work; another agent may see more.";

const HOW = {
  remedy: '`tazuna continue {attempt} "Go on"` makes the worktree again from the branch. Then {again}.',
};

const MERGING = "A merge goes on in the worktree, so there is no patch to review yet.";
const TO_CONCLUDE = { remedy: "`tazuna continue {attempt} --resolve` concludes it. Then {again}." };
