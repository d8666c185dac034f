/** Prepares a later run of an attempt: same worktree, same branch, synced with its remote (seed 003, phase 4). */
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { err, ok, type Result } from "neverthrow";
import type { RunNote } from "../../../domain/run/run.ts";
import { writeFileAtomic } from "../../../utils/files/atomic-write.ts";
import { isThere } from "../../../utils/files/is-there.ts";
import { openFolder } from "../../../utils/files/remove-tree.ts";
import { ensureBranch } from "../../branches/ensure-branch.ts";
import { reattachWorktree, remainsOf } from "../../branches/reattach-worktree.ts";
import { finishRename } from "../../branches/rename-branch.ts";
import { checkPointers } from "../../confinement/check-git-files.ts";
import type { ServiceContext } from "../../core/context.ts";
import type { ConfinedContext, WorktreeContext } from "../../core/context-parts.ts";
import { findCheckout } from "../../core/find-checkout.ts";
import { gitFailed, repositoryGone } from "../../run-core/git-failure.ts";
import { failed, note, type RunWorld, type Step } from "../../run-core/step.ts";
import { copyWantedFiles } from "../../worktrees/copy-files.ts";
import { fillWorktree } from "../../worktrees/fill-worktree.ts";
import { makeWorktree } from "../../worktrees/make-worktree.ts";
import { mendedNotes, mendWorktree } from "../../worktrees/mend-worktree.ts";
import { isSameRepository } from "../../worktrees/true-cause.ts";
import type { Prepared } from "./prepared.ts";
import { proveBranch } from "./prove-branch.ts";
import { setUpWorktree } from "./set-up-worktree.ts";
import { syncWorktree } from "./sync-worktree.ts";

export async function prepareLater(
  context: WorktreeContext & ConfinedContext & Pick<ServiceContext, "asking">,
  world: RunWorld,
): Promise<Prepared> {
  const renamed = await finishRename(context, world);
  if (renamed.isErr()) return { done: false, step: gitFailed("worktree", renamed.error) };
  const found = await findWorktree(context, world);
  if (found.isErr()) return { done: false, step: found.error };
  if (found.value !== null) return sync(context, world, found.value);
  if (world.run.kind === "commit")
    return {
      done: false,
      step: failed("worktree_lost", "The worktree is gone, and with it the edits to commit."),
    };
  const restored = await restoreWorktree(context, world);
  if (restored.isErr()) return { done: false, step: restored.error };
  const notes = [note("worktree_restored", "The worktree was gone and was made again from the branch.")];
  const attempt = { ...world.attempt, gitDir: restored.value };
  return sync(context, { ...world, attempt }, { gitDir: restored.value, notes });
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
  const { attempt, configuration } = world;
  const { gitDir } = attempt;
  if (gitDir === null || (await isBeingRestored(context, world))) return ok(null);
  // Without permissions it would be taken for gone.
  await openFolder(attempt.worktree);
  const remains = await remainsOf(attempt);
  if (remains === "whole") {
    const mended = await mendWorktree(context, world);
    if (mended.isErr()) return err(gitFailed("worktree", mended.error));
    return ok({ gitDir, notes: mendedNotes(mended.value) });
  }
  if (!(await isSameRepository(context, world))) return err(repositoryGone(world, "replaced"));
  // Data of submodules inside the registration is lost with it.
  if (remains === "gone" || configuration.values.submodules !== "none") return ok(null);
  const branch = await ensureBranch(context, world);
  if (branch.isErr()) return err(gitFailed("worktree", branch.error));
  const again = await reattachWorktree(context, world);
  if (again.isErr()) return err(gitFailed("worktree", again.error));
  if (!again.value) return ok(null);
  const message = "Git had lost this worktree; it was registered again, every file as it was.";
  return ok({ gitDir, notes: [note("worktree_registered", message)] });
}

async function sync(
  context: WorktreeContext & Pick<ServiceContext, "asking">,
  world: RunWorld,
  found: FoundWorktree,
): Promise<Prepared> {
  const pointers = await checkPointers(context, world);
  if (pointers.isErr()) return { done: false, step: pointers.error };
  const elsewhere = await proveBranch(context, world);
  if (elsewhere !== null) return { done: false, step: elsewhere };
  const synced = await syncWorktree(context, world);
  if (synced.isErr()) return { done: false, step: synced.error };
  return {
    done: true,
    notes: [...found.notes, ...pointers.value, ...synced.value],
    gitDir: found.gitDir,
    cleanAt: null,
  };
}

/** Makes the lost worktree again at the same path, since agents file their sessions by directory. */
async function restoreWorktree(
  context: WorktreeContext & ConfinedContext,
  world: RunWorld,
): Promise<Result<string, Step>> {
  const branch = await ensureBranch(context, world);
  if (branch.isErr()) return err(gitFailed("worktree", branch.error));
  const checkout = await findCheckout(world.repository);
  if (checkout.isErr()) return err(failed("worktree_lost", checkout.error));
  await noteRestoring(context, world);
  const made = await makeWorktree(context, world, {
    checkoutGitDir: checkout.value.gitDir,
    baseSha: null,
    taken: null,
    baseBranch: world.attempt.base.branch ?? "",
  });
  if (made.isErr()) return err(gitFailed("worktree", made.error));
  const attempt = { ...world.attempt, gitDir: made.value.gitDir };
  const filled = await fillWorktree(
    context,
    { ...world, attempt },
    { needsCheckout: made.value.needsCheckout },
  );
  if (filled !== null) return err(filled);
  const copied = await copyWantedFiles(context, { ...world, attempt }, checkout.value);
  if (copied.isErr()) return err(copied.error);
  const setup = await setUpWorktree(context, { ...world, attempt });
  if (setup !== null) return err(setup);
  await rm(restoringFile(context, world), { force: true });
  return ok(made.value.gitDir);
}

/** Exists while a lost worktree is made again: until its files and its setup are complete, no agent may begin in it. */
function restoringFile(context: Pick<ServiceContext, "paths">, { attempt }: RunWorld): string {
  return join(context.paths.attempt(attempt.id), "restoring");
}

async function noteRestoring(context: Pick<ServiceContext, "paths">, world: RunWorld): Promise<void> {
  await mkdir(context.paths.attempt(world.attempt.id), { recursive: true, mode: 0o700 });
  await writeFileAtomic(restoringFile(context, world), "");
}

function isBeingRestored(context: Pick<ServiceContext, "paths">, world: RunWorld): Promise<boolean> {
  return isThere(restoringFile(context, world));
}
