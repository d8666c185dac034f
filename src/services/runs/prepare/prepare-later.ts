/** Prepares a later run of an attempt: same worktree, same branch, synced with its remote (seed 003 Phase 4). */
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { err, ok, type Result, safeTry } from "neverthrow";
import type { RunNote } from "../../../domain/run/run.ts";
import { writeFileAtomic } from "../../../utils/files/atomic-write.ts";
import { isThere } from "../../../utils/files/is-there.ts";
import { openFolder } from "../../../utils/files/remove-tree.ts";
import { ensureBranch } from "../../branches/ensure-branch.ts";
import { reattachWorktree, remainsOf } from "../../branches/reattach-worktree.ts";
import { finishRename } from "../../branches/rename-branch.ts";
import { checkPointers } from "../../confinement/check-git-files.ts";
import type { ConfinedContext, Uses, WorktreeContext } from "../../core/context-parts.ts";
import { findCheckout } from "../../core/find-checkout.ts";
import { gitFailedAt, repositoryGone } from "../../run-core/git-failure.ts";
import { failed, note, type RunWorld, type Step } from "../../run-core/step.ts";
import { copyWantedFiles } from "../../worktrees/copy-files.ts";
import { fillWorktree } from "../../worktrees/fill-worktree.ts";
import { makeWorktree } from "../../worktrees/make-worktree.ts";
import { mendedNotes, mendWorktree } from "../../worktrees/mend-worktree.ts";
import { isSameRepository } from "../../worktrees/true-cause.ts";
import type { Prepared } from "./prepare-first.ts";
import { proveBranch } from "./prove-branch.ts";
import { setUpWorktree } from "./set-up-worktree.ts";
import { syncWorktree } from "./sync-worktree.ts";

export async function prepareLater(
  context: WorktreeContext & ConfinedContext & Uses<"shell">,
  world: RunWorld,
): Promise<Result<Prepared, Step>> {
  return safeTry(async function* () {
    yield* (await finishRename(context, world)).mapErr(gitFailedAt("worktree"));
    const found = yield* await findWorktree(context, world);
    if (found !== null) return sync(context, world, found);
    const { kind, options } = world.run;
    if (kind === "commit" && options.recheck !== true)
      return err(failed("worktree_lost", "The worktree is gone, and with it the edits to commit."));
    const gitDir = yield* await restoreWorktree(context, world);
    const notes = [note("worktree_restored", "The worktree was gone and was made again from the branch.")];
    const attempt = { ...world.attempt, gitDir };
    return sync(context, { ...world, attempt }, { gitDir, notes });
  });
}

interface FoundWorktree {
  readonly gitDir: string;
  readonly notes: readonly RunNote[];
}

/** The worktree as it is, or with its registration made again; null if it must be made anew. */
async function findWorktree(
  context: WorktreeContext,
  world: RunWorld,
): Promise<Result<FoundWorktree | null, Step>> {
  return safeTry(async function* () {
    const { attempt, configuration } = world;
    const { gitDir } = attempt;
    if (gitDir === null || (await isBeingRestored(context, world))) return ok(null);
    // Without permissions it would be taken for gone.
    await openFolder(attempt.worktree);
    const remains = await remainsOf(attempt);
    if (remains === "whole") {
      const mended = yield* (await mendWorktree(context, world)).mapErr(gitFailedAt("worktree"));
      return ok({ gitDir, notes: mendedNotes(mended) });
    }
    if (!(await isSameRepository(context, world))) return err(repositoryGone(world, "replaced"));
    // Data of submodules inside the registration is lost with it.
    if (remains === "gone" || configuration.values.submodules !== "none") return ok(null);
    yield* (await ensureBranch(context, world)).mapErr(gitFailedAt("worktree"));
    const again = yield* (await reattachWorktree(context, world)).mapErr(gitFailedAt("worktree"));
    if (!again) return ok(null);
    const message = "Git had lost this worktree; it was registered again, every file as it was.";
    return ok({ gitDir, notes: [note("worktree_registered", message)] });
  });
}

async function sync(
  context: WorktreeContext & Uses<"shell">,
  world: RunWorld,
  found: FoundWorktree,
): Promise<Result<Prepared, Step>> {
  return safeTry(async function* () {
    const pointers = yield* await checkPointers(context, world);
    yield* await proveBranch(context, world);
    const synced = yield* await syncWorktree(context, world);
    const notes = [...found.notes, ...pointers, ...synced];
    return ok({ notes, gitDir: found.gitDir, cleanAt: null });
  });
}

/**
 * Makes the lost worktree again at the same path, since agents file their sessions by directory. `lay` writes more into
 * it than its branch has, before the setup.
 */
export async function restoreWorktree(
  context: WorktreeContext & ConfinedContext,
  world: RunWorld,
  lay: (world: RunWorld) => Promise<Result<void, Step>> = async () => ok(undefined),
): Promise<Result<string, Step>> {
  return safeTry(async function* () {
    yield* (await ensureBranch(context, world)).mapErr(gitFailedAt("worktree"));
    const checkout = yield* (await findCheckout(world.repository)).mapErr((error) =>
      failed("worktree_lost", error),
    );
    await noteRestoring(context, world);
    const made = yield* (
      await makeWorktree(context, world, {
        checkoutGitDir: checkout.gitDir,
        baseSha: null,
        taken: null,
        baseBranch: world.attempt.base.branch ?? "",
      })
    ).mapErr(gitFailedAt("worktree"));
    const attempt = { ...world.attempt, gitDir: made.gitDir };
    yield* await fillWorktree(context, { ...world, attempt }, { needsCheckout: made.needsCheckout });
    yield* await lay({ ...world, attempt });
    yield* await copyWantedFiles(context, { ...world, attempt }, checkout);
    yield* await setUpWorktree(context, { ...world, attempt });
    await rm(restoringFile(context, world), { force: true });
    return ok(made.gitDir);
  });
}

/** Exists while a lost worktree is made again. Until its files and its setup are complete, no agent may begin in it. */
function restoringFile(context: Uses<"paths">, { attempt }: RunWorld): string {
  return join(context.paths.attempt(attempt.id), "restoring");
}

async function noteRestoring(context: Uses<"paths">, world: RunWorld): Promise<void> {
  await mkdir(context.paths.attempt(world.attempt.id), { recursive: true, mode: 0o700 });
  await writeFileAtomic(restoringFile(context, world), "");
}

function isBeingRestored(context: Uses<"paths">, world: RunWorld): Promise<boolean> {
  return isThere(restoringFile(context, world));
}
