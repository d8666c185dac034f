/** Prepares the first run of an attempt: newest base, new branch and worktree, copied files, setup. */
import { err, ok, type Result } from "neverthrow";
import { isNamedByUs } from "../../domain/run/naming.ts";
import { readHead } from "../../git/refs.ts";
import type { ChosenRemotes } from "../../git/remote.ts";
import { type ResolvedBase, resolveBase } from "../../git/resolve-base.ts";
import { withSignal } from "../../git/run-git.ts";
import type { ServiceContext } from "../context.ts";
import { remotesOf } from "../repositories/choose-remote.ts";
import { fetchRepository } from "../repositories/fetch-repository.ts";
import { type Checkout, findCheckout } from "../repositories/find-checkout.ts";
import { untilStopped } from "../repositories/until-stopped.ts";
import { bringCheckoutState } from "../worktrees/bring-checkout-state.ts";
import { copyWantedFiles } from "../worktrees/copy-files.ts";
import { fillWorktree } from "../worktrees/fill-worktree.ts";
import { makeWorktree } from "../worktrees/make-worktree.ts";
import { setUpWorktree } from "../worktrees/set-up-worktree.ts";
import { baseFailed, sentence } from "./base-failed.ts";
import { gitFailed } from "./git-failure.ts";
import type { Prepared } from "./prepared.ts";
import { failed, type RunWorld, type Step } from "./step.ts";

export async function prepareFirst(context: ServiceContext, world: RunWorld): Promise<Prepared> {
  const checkout = await findCheckout(world.repository);
  if (checkout.isErr()) return { done: false, step: failed("worktree_lost", checkout.error) };
  const base = await findBase(context, world, checkout.value);
  if (base.isErr()) return { done: false, step: base.error };
  const made = await makeWorktree(context, world, {
    checkoutGitDir: checkout.value.gitDir,
    baseSha: world.attempt.branchExisted ? null : base.value.sha,
    baseBranch: base.value.branch,
  });
  if (made.isErr()) return { done: false, step: addFailed(made.error) };
  const { gitDir, needsCheckout } = made.value;
  const attempt = { ...world.attempt, gitDir, branch: made.value.branch };
  const filled = await fillWorktree(context, { ...world, attempt }, { needsCheckout });
  if (filled !== null) return { done: false, step: filled };
  if (world.run.options.fromWorktree === true) {
    const brought = await bringCheckoutState(context, { ...world, attempt }, checkout.value);
    if (brought !== null) return { done: false, step: brought };
  }
  const copied = await copyWantedFiles(context, { ...world, attempt }, checkout.value);
  if (copied.isErr()) return { done: false, step: copied.error };
  const setup = await setUpWorktree(context, { ...world, attempt });
  if (setup !== null) return { done: false, step: setup };
  const untouched = needsCheckout && !hasOwnFiles(world, checkout.value);
  return { done: true, notes: copied.value, gitDir, cleanAt: untouched ? made.value.headSha : null };
}

/** Whether anything but the checkout of a commit may have written into the worktree. */
function hasOwnFiles(world: RunWorld, checkout: Checkout): boolean {
  const { setup, submodules } = world.configuration.values;
  return (
    world.run.options.fromWorktree === true || setup.length > 0 || submodules !== "none" || checkout.bare
  );
}

/** Fetches, and resolves the base to a commit; a worktree or branch that a crash left keeps the one it was made at. */
async function findBase(
  context: ServiceContext,
  world: RunWorld,
  checkout: Checkout,
): Promise<Result<ResolvedBase, Step>> {
  const { run, repository, configuration } = world;
  const remotes = await remotesOf(context, { commonDir: repository.commonDir, configuration });
  if (remotes.isErr()) return err(gitFailed("fetch", remotes.error));
  if (!run.offline) {
    const from = { remote: remotes.value?.fetch ?? null, signal: world.signal };
    const fetched = await fetchRepository(context, repository, from);
    if (fetched.isErr()) return err(gitFailed("fetch", fetched.error));
  }
  if (run.options.fromWorktree === true) return baseFromCheckout(context, checkout);
  const base = await resolveLocked(context, world, { checkout, remotes: remotes.value });
  return base.mapErr(baseFailed);
}

/**
 * Asked of the person's own checkout, which may be a linked worktree: "the branch that is checked out" is the one there.
 * It may fetch, so one answer serves every run that asked the same before the asking began.
 */
function resolveLocked(
  context: ServiceContext,
  world: RunWorld,
  of: { readonly checkout: Checkout; readonly remotes: ChosenRemotes | null },
) {
  const { repository, task, run, attempt } = world;
  const { branch: template } = world.configuration.values;
  const branch = task.base ?? (attempt.branchExisted ? null : attempt.base.branch);
  const target = { gitDir: of.checkout.gitDir, workTree: null };
  const remote = of.remotes?.fetch ?? null;
  const online = !run.offline;
  const isOurs = (name: string) => isNamedByUs(name, template);
  const resolved = context.locks.fetchOnce(repository.commonDir, {
    key: `base of ${JSON.stringify({ ...target, remote, branch, online, template })}`,
    signal: world.signal,
    fetch: (gone) => resolveBase(withSignal(context.git, gone), target, { remote, branch, online, isOurs }),
  });
  return untilStopped(world.signal, resolved);
}

/** Where the person's checkout stands; its uncommitted changes are brought along later. */
async function baseFromCheckout(
  context: ServiceContext,
  checkout: Checkout,
): Promise<Result<ResolvedBase, Step>> {
  const head = await readHead(context.git, { gitDir: checkout.gitDir, workTree: null });
  if (head.isErr()) return err(gitFailed("worktree", head.error));
  const { sha, branch } = head.value;
  if (sha === null) return err(failed("empty_repository", `${checkout.path} has no commit yet.`));
  return ok({ branch: branch ?? "HEAD", sha, ref: "HEAD" });
}

function addFailed(error: { readonly kind: string; readonly message: string }): Step {
  if (error.kind === "branch_name_blocked") return failed("branch_name_blocked", sentence(error.message));
  return gitFailed("worktree", error);
}
