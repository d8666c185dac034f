/** Makes an attempt's worktree and branch, or finishes what a crash left half made. */
import { lstat, mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { err, ok, type Result } from "neverthrow";
import { freeBranchName } from "../../domain/run/naming.ts";
import { decideRecovery } from "../../domain/run/recovery.ts";
import { wasKilled } from "../../git/git-error.ts";
import { overKilled } from "../../git/over-killed.ts";
import { listRefs } from "../../git/refs.ts";
import {
  type AddWorktreeError,
  addWorktree,
  addWorktreeOnBranch,
  type WorktreeInfo,
} from "../../git/worktree-add.ts";
import { inspectWorktree, type WorktreePlace } from "../../git/worktree-list.ts";
import type { PruneError } from "../../git/worktree-prune.ts";
import { getAttempt } from "../../storage/attempts.ts";
import type { ServiceContext } from "../context.ts";
import { journaled } from "../journal.ts";
import { storeFacts, storeFactsIn } from "../runs/move-run.ts";
import type { RunWorld } from "../runs/step.ts";
import { putHalfMadeAside } from "./half-made.ts";
import { repositoryTarget } from "./targets.ts";

export interface MadeWorktree {
  readonly gitDir: string;
  readonly branch: string;
  /** Where HEAD is; null for a worktree that was made before. */
  readonly headSha: string | null;
  /** Whether its files are still to be written. */
  readonly needsCheckout: boolean;
}

export type MakeWorktreeError = AddWorktreeError | PruneError;

export interface WorktreeWish {
  /** The git directory of the user's checkout: its sparse patterns are inherited. */
  readonly checkoutGitDir: string;
  /** The commit that a new branch begins at; null: the branch exists and the worktree is made on it. */
  readonly baseSha: string | null;
  readonly baseBranch: string;
}

/** Git works under the repository's lock, for which others wait; the checkout comes afterwards, outside it. */
export async function makeWorktree(
  context: ServiceContext,
  world: RunWorld,
  wish: WorktreeWish,
): Promise<Result<MadeWorktree, MakeWorktreeError>> {
  const locked: Guard = (act) => context.locks.shared(world.repository.commonDir, act);
  let known = world;
  if (await isFirstTry(world, wish)) {
    const first = { wish, name: world.attempt.branch, isNew: true, guard: locked };
    const made = await addAndStore(context, world, first);
    if (made.isOk() || !(made.error.kind === "branch_taken" || wasKilled(made.error))) return made;
    // A branch of that name that git met is somebody else's; one that is there after a kill counts as ours, as after a crash.
    if (wasKilled(made.error)) known = await asIntended(context, world);
  }
  return overKilled(async () => {
    const made = await locked(() => makeLocked(context, known, wish));
    known = await asIntended(context, world);
    return made;
  });
}

/** With the branch and base that a try wrote down before it began. */
async function asIntended(context: ServiceContext, world: RunWorld): Promise<RunWorld> {
  const attempt = await getAttempt(context.db.reader, world.attempt.id);
  return attempt === null ? world : { ...world, attempt };
}

/** Looks at what is there and acts on it, all under the one lock. */
async function makeLocked(
  context: ServiceContext,
  world: RunWorld,
  wish: WorktreeWish,
): Promise<Result<MadeWorktree, MakeWorktreeError>> {
  const { attempt, repository } = world;
  const place = await inspectWorktree(context.git, repositoryTarget(repository), {
    path: attempt.worktree,
    branch: attempt.branch,
  });
  if (place.isErr()) return err(place.error);
  const whole = wholeWorktree(place.value, attempt.branch);
  if (whole !== null) {
    await storeFacts(context, world, { attempt: { gitDir: whole.gitDir } });
    return ok(whole);
  }
  const nothingThere = place.value.directory === "absent" && place.value.registered === null;
  const decision = decideRecovery(world.run, {
    of: "preparing",
    worktree: nothingThere ? "none" : "half_made",
  });
  if (decision.action === "remove_half_made") {
    const aside = await putHalfMadeAside(context, world, place.value);
    if (aside.isErr()) return err(aside.error);
  }
  const branch = await branchToMake(context, world, { wish, place: place.value });
  if (branch.isErr()) return err(branch.error);
  return addAndStore(context, world, { ...branch.value, wish, guard: (act) => act() });
}

/** Nothing of this attempt can be there yet: git itself says where that is wrong. */
async function isFirstTry(world: RunWorld, wish: WorktreeWish): Promise<boolean> {
  const { attempt } = world;
  if (wish.baseSha === null || attempt.base.sha !== null || attempt.gitDir !== null) return false;
  return (await lstat(attempt.worktree).catch(() => null)) === null;
}

interface BranchWish {
  readonly wish: WorktreeWish;
  readonly name: string;
  readonly isNew: boolean;
  readonly guard: Guard;
}

/** What git is run under: the repository's lock, or nothing where it is held already. */
type Guard = <T>(act: () => Promise<T>) => Promise<T>;

async function addAndStore(
  context: ServiceContext,
  world: RunWorld,
  of: BranchWish,
): Promise<Result<MadeWorktree, AddWorktreeError>> {
  const made = await add(context, world, of);
  return made.map(({ gitDir, headSha }) => ({ gitDir, headSha, branch: of.name, needsCheckout: true }));
}

/** What was registered, linked both ways and on its branch before: only its files may be missing. */
export function wholeWorktree(place: WorktreePlace, branch: string): MadeWorktree | null {
  if (place.registered === null || place.registered.branch !== branch || place.gitDir === null) return null;
  if (place.branchSha === null) return null;
  return { gitDir: place.gitDir, branch, headSha: null, needsCheckout: !place.hasIndex };
}

/** A new name, or the branch as it is: the person's own, one that a lost worktree was on, one that a crash left bare. */
async function branchToMake(
  context: ServiceContext,
  world: RunWorld,
  of: { readonly wish: WorktreeWish; readonly place: WorktreePlace },
): Promise<Result<{ name: string; isNew: boolean }, AddWorktreeError>> {
  const { attempt, repository } = world;
  const { place, wish } = of;
  const leftByCrash =
    place.branchSha !== null && place.branchSha === attempt.base.sha && !attempt.branchExisted;
  if (wish.baseSha === null || leftByCrash) return ok({ name: attempt.branch, isNew: false });
  if (place.branchSha === null) return ok({ name: attempt.branch, isNew: true });
  const refs = await listRefs(context.git, repositoryTarget(repository), { prefixes: ["refs/heads"] });
  if (refs.isErr()) return err(refs.error);
  const taken = new Set(refs.value.map((ref) => ref.name.replace(/^refs\/heads\//, "")));
  return ok({ name: freeBranchName(attempt.branch, taken), isNew: true });
}

/** The names are stored with the intention, before git makes them; the git directory with the word that it did. */
async function add(
  context: ServiceContext,
  world: RunWorld,
  of: BranchWish,
): Promise<Result<WorktreeInfo, AddWorktreeError>> {
  const { attempt } = world;
  await mkdir(dirname(attempt.worktree), { recursive: true, mode: 0o700 });
  // A branch that a crash left bare keeps the base it was made at, though the newest one is another by now.
  const base = { branch: of.wish.baseBranch, sha: of.isNew ? of.wish.baseSha : attempt.base.sha };
  const common = { path: attempt.worktree, branch: of.name, baseBranch: of.wish.baseBranch };
  const { baseSha, checkoutGitDir } = of.wish;
  const target = { gitDir: checkoutGitDir, workTree: null };
  return journaled(
    context,
    {
      kind: "worktree_add",
      subject: { type: "attempt", id: attempt.id },
      before: { ...common, baseSha },
      intend: async (trx) => void (await storeFactsIn(trx, world, { attempt: { branch: of.name, base } })),
    },
    () =>
      of.guard(() =>
        of.isNew && baseSha !== null
          ? addWorktree(context.git, target, { ...common, baseSha })
          : addWorktreeOnBranch(context.git, target, common),
      ),
    (info) => ({ path: info.path, branch: info.branchName, gitDir: info.gitDir, sha: info.headSha }),
    async (trx, { gitDir }) => void (await storeFactsIn(trx, world, { attempt: { gitDir } })),
  );
}
