/** Prepares a later run of an attempt: same worktree, same branch, synced with its remote (seed 003, phase 4). */

import { access, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { err, ok, type Result } from "neverthrow";
import { shellWord } from "../../domain/doctor/found.ts";
import { failure } from "../../domain/run/failure.ts";
import type { RunNote } from "../../domain/run/run.ts";
import { readHead } from "../../git/refs.ts";
import { writeFileAtomic } from "../../utils/atomic-write.ts";
import { openFolder } from "../../utils/open-folder.ts";
import type { ServiceContext } from "../context.ts";
import { findCheckout } from "../repositories/find-checkout.ts";
import { checkPointers } from "../worktrees/check-git-files.ts";
import { copyWantedFiles } from "../worktrees/copy-files.ts";
import { ensureBranch } from "../worktrees/ensure-branch.ts";
import { fillWorktree } from "../worktrees/fill-worktree.ts";
import { makeWorktree } from "../worktrees/make-worktree.ts";
import { reattachWorktree, remainsOf } from "../worktrees/reattach-worktree.ts";
import { setUpWorktree } from "../worktrees/set-up-worktree.ts";
import { syncWorktree } from "../worktrees/sync-worktree.ts";
import { worktreeTarget } from "../worktrees/targets.ts";
import { gitFailed, repositoryGone } from "./git-failure.ts";
import type { Prepared } from "./prepared.ts";
import { failed, note, type RunWorld, type Step } from "./step.ts";
import { isSameRepository } from "./true-cause.ts";

export async function prepareLater(context: ServiceContext, world: RunWorld): Promise<Prepared> {
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

/** The worktree as it is, or with its registration made again; null where it has to be made anew. */
async function findWorktree(
  context: ServiceContext,
  world: RunWorld,
): Promise<Result<FoundWorktree | null, Step>> {
  const { attempt, configuration } = world;
  const { gitDir } = attempt;
  if (gitDir === null || (await isBeingRestored(context, world))) return ok(null);
  // Closed, it would be taken for gone.
  await openFolder(attempt.worktree);
  const remains = await remainsOf(attempt);
  if (remains === "whole") return ok({ gitDir, notes: [] });
  if (!(await isSameRepository(context, world))) return err(repositoryGone(world, "replaced"));
  // What submodules keep with the registration is gone with it.
  if (remains === "gone" || configuration.values.submodules !== "none") return ok(null);
  const branch = await ensureBranch(context, world);
  if (branch.isErr()) return err(gitFailed("worktree", branch.error));
  const again = await reattachWorktree(context, world);
  if (again.isErr()) return err(gitFailed("worktree", again.error));
  if (!again.value) return ok(null);
  const message = "Git had lost this worktree; it was registered again, every file as it was.";
  return ok({ gitDir, notes: [note("worktree_registered", message)] });
}

async function sync(context: ServiceContext, world: RunWorld, of: FoundWorktree): Promise<Prepared> {
  const pointers = await checkPointers(context, world);
  if (pointers.isErr()) return { done: false, step: pointers.error };
  const elsewhere = await proveBranch(context, world);
  if (elsewhere !== null) return { done: false, step: elsewhere };
  const synced = await syncWorktree(context, world);
  if (synced.isErr()) return { done: false, step: synced.error };
  return {
    done: true,
    notes: [...of.notes, ...pointers.value, ...synced.value],
    gitDir: of.gitDir,
    cleanAt: null,
  };
}

/** A person may have switched the worktree to something else: what is there is theirs, and not this attempt's. Or deleted its branch. */
async function proveBranch(context: ServiceContext, world: RunWorld): Promise<Step | null> {
  const { branch, worktree } = world.attempt;
  const head = await readHead(context.git, worktreeTarget(world.attempt));
  if (head.isErr()) return gitFailed("worktree", head.error);
  if (head.value.branch === branch) {
    const there = head.value.sha === null ? await ensureBranch(context, world) : ok(undefined);
    return there.isErr() ? gitFailed("worktree", there.error) : null;
  }
  const place = head.value.branch === null ? "no branch" : `the branch ${head.value.branch}`;
  const message = `The worktree ${worktree} is on ${place}, not on ${branch}.`;
  const remedy = `Keep what you need of it, then \`git -C ${shellWord(worktree)} switch ${shellWord(branch)}\` and try again.`;
  return { event: "fail", failure: failure("worktree_lost", message, { remedy }) };
}

/** Makes the lost worktree again at the same path, since agents file their sessions by directory. */
async function restoreWorktree(context: ServiceContext, world: RunWorld): Promise<Result<string, Step>> {
  const branch = await ensureBranch(context, world);
  if (branch.isErr()) return err(gitFailed("worktree", branch.error));
  const checkout = await findCheckout(world.repository);
  if (checkout.isErr()) return err(failed("worktree_lost", checkout.error));
  await noteRestoring(context, world);
  const made = await makeWorktree(context, world, {
    checkoutGitDir: checkout.value.gitDir,
    baseSha: null,
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

/** There while a lost worktree is made again: until its files and its setup are complete, no agent may begin in it. */
function restoringFile(context: ServiceContext, { attempt }: RunWorld): string {
  return join(context.paths.attempt(attempt.id), "restoring");
}

async function noteRestoring(context: ServiceContext, world: RunWorld): Promise<void> {
  await mkdir(context.paths.attempt(world.attempt.id), { recursive: true, mode: 0o700 });
  await writeFileAtomic(restoringFile(context, world), "");
}

async function isBeingRestored(context: ServiceContext, world: RunWorld): Promise<boolean> {
  return access(restoringFile(context, world)).then(
    () => true,
    () => false,
  );
}
