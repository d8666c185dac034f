/**
 * Prepares the first run of an attempt: newest base, new branch and worktree, copied files, setup (seed 003 Whole
 * workflow).
 */
import { err, ok, type Result, safeTry } from "neverthrow";
import { isNamedByUs } from "../../../domain/repository/branch-names.ts";
import { readHead, readRef } from "../../../git/refs/refs.ts";
import { commonCommit } from "../../../git/refs/rev-list.ts";
import type { ResolvedBase } from "../../../git/remote/named-base.ts";
import type { ChosenRemotes } from "../../../git/remote/remote.ts";
import { resolveBase } from "../../../git/remote/resolve-base.ts";
import { withSignal } from "../../../git/runner/git-variants.ts";
import { restoreTree } from "../../../git/worktree/restore-files.ts";
import type { AttemptChange } from "../../../storage/tables/attempts.ts";
import { bringBranch } from "../../branches/ensure-branch.ts";
import { type TakenNames, takenNames } from "../../branches/taken-names.ts";
import type { ConfinedContext, GitContext, Uses, WorktreeContext } from "../../core/context-parts.ts";
import { type Checkout, findCheckout } from "../../core/find-checkout.ts";
import { remotesOf } from "../../repositories/choose-remote.ts";
import { fetchRepository } from "../../repositories/fetch-repository.ts";
import { untilStopped } from "../../repositories/until-stopped.ts";
import { forkNote } from "../../run-core/forked-from.ts";
import { gitFailed, gitFailedAt } from "../../run-core/git-failure.ts";
import { failed, type RunWorld, type Step } from "../../run-core/step.ts";
import { repositoryTarget, worktreeTarget } from "../../run-core/targets.ts";
import { copyWantedFiles } from "../../worktrees/copy-files.ts";
import { fillWorktree } from "../../worktrees/fill-worktree.ts";
import { type MakeWorktreeError, makeWorktree } from "../../worktrees/make-worktree.ts";
import { baseFailed, sentence } from "./base-failed.ts";
import { bringCheckoutState, startedFrom } from "./from-checkout.ts";
import { setUpWorktree } from "./set-up-worktree.ts";
import { syncWorktree } from "./sync-worktree.ts";

/** What to store before the agent starts. */
export interface Prepared {
  readonly notes: Step["notes"];
  /** The change to store with the attempt when its first agent starts. */
  readonly attempt?: AttemptChange;
  readonly gitDir: string;
  /** The commit at which the worktree was just made, if it holds nothing else; null if git must be asked. */
  readonly cleanAt: string | null;
}

export async function prepareFirst(
  context: WorktreeContext & ConfinedContext & Uses<"shell">,
  world: RunWorld,
): Promise<Result<Prepared, Step>> {
  return safeTry(async function* () {
    const checkout = yield* (await findCheckout(world.repository)).mapErr((error) =>
      failed("worktree_lost", error),
    );
    const { base, taken } = yield* await findStart(context, world, checkout);
    const { fromWorktree = false, fromTree } = world.run.options;
    const from = startedFrom(context, { base, checkout, fromWorktree });
    const made = yield* (
      await makeWorktree(context, world, {
        checkoutGitDir: checkout.gitDir,
        baseSha: world.attempt.branchExisted ? null : base.sha,
        baseBranch: base.branch,
        taken,
      })
    ).mapErr(addFailed);
    const { gitDir, needsCheckout } = made;
    const attempt = { ...world.attempt, gitDir, branch: made.branch };
    yield* await fillWorktree(context, { ...world, attempt }, { needsCheckout });
    // An existing branch may be behind the remote's: an agent works on the newest state.
    const synced = attempt.branchExisted ? yield* await syncWorktree(context, { ...world, attempt }) : [];
    if (fromWorktree) yield* await bringCheckoutState(context, { ...world, attempt }, checkout);
    if (fromTree !== undefined)
      yield* (await restoreTree(context.git, worktreeTarget(attempt), fromTree)).mapErr(
        gitFailedAt("worktree"),
      );
    const copied = yield* await copyWantedFiles(context, { ...world, attempt }, checkout);
    yield* await setUpWorktree(context, { ...world, attempt });
    const untouched = needsCheckout && !attempt.branchExisted && !hasOwnFiles(world, checkout);
    const named = attempt.branchExisted ? await baseOfNamed(context, { ...world, attempt }, base) : {};
    return ok({
      notes: [...(await forkNote(context, world)), ...synced, ...copied],
      attempt: { startedFrom: await from, ...named },
      gitDir,
      cleanAt: untouched ? made.headSha : null,
    });
  });
}

/**
 * The base of an existing branch is the newest commit that both share. If they share none, the branch begins at its own
 * commit.
 */
async function baseOfNamed(
  context: Uses<"git">,
  { attempt, repository }: RunWorld,
  base: ResolvedBase,
): Promise<AttemptChange> {
  const target = repositoryTarget(repository);
  const tip = (await readRef(context.git, target, `refs/heads/${attempt.branch}^{commit}`)).unwrapOr(null);
  if (tip === null) return {};
  const common = await commonCommit(context.git, target, { one: tip, other: base.sha });
  return { base: { branch: base.branch, sha: common.unwrapOr(null) ?? tip } };
}

/** Whether anything else than the checkout of a commit may have written into the worktree. */
function hasOwnFiles(world: RunWorld, checkout: Checkout): boolean {
  const { setup, submodules } = world.configuration.values;
  const { fromWorktree = false, fromTree } = world.run.options;
  const isGiven = fromWorktree || fromTree !== undefined;
  return isGiven || setup.length > 0 || submodules !== "none" || checkout.bare;
}

interface Start {
  readonly base: ResolvedBase;
  /** Null for a branch that existed before. */
  readonly taken: TakenNames | null;
}

/** Fetches, resolves the base to a commit, and lists the names that a new branch may not take. */
async function findStart(
  context: GitContext & Uses<"locks" | "shell">,
  world: RunWorld,
  checkout: Checkout,
): Promise<Result<Start, Step>> {
  return safeTry(async function* () {
    const { run, repository, configuration, attempt } = world;
    const remotes = yield* (
      await remotesOf(context, { commonDir: repository.commonDir, configuration })
    ).mapErr(gitFailedAt("fetch"));
    if (!run.offline) {
      const from = { remote: remotes?.fetch ?? null, signal: world.signal };
      yield* (await fetchRepository(context, repository, from)).mapErr(gitFailedAt("fetch"));
    }
    const remote = remotes?.fetch.name ?? null;
    const { fromTree, fromWorktree } = run.options;
    const found =
      fromTree !== undefined
        ? ok({ branch: attempt.base.branch, sha: fromTree.base, ref: attempt.base.branch ?? fromTree.base })
        : fromWorktree === true
          ? await baseFromCheckout(context, checkout)
          : (await resolveLocked(context, world, { checkout, remotes })).mapErr((error) =>
              baseFailed(error, remote),
            );
    const base = yield* found;
    if (attempt.branchExisted) {
      const brought = await bringBranch(context, world, remotes);
      return brought.map(() => ({ base, taken: null }));
    }
    const taken = await takenNames(context, world, remotes);
    return taken.map((names) => ({ base, taken: names })).mapErr(gitFailedAt("fetch"));
  });
}

/**
 * Asks in the person's own checkout, which may be a linked worktree. "The branch that is checked out" is the one
 * there. This may fetch, so one answer serves every run that asked the same before the question was sent.
 */
function resolveLocked(
  context: Uses<"git" | "locks" | "shell">,
  world: RunWorld,
  sources: { readonly checkout: Checkout; readonly remotes: ChosenRemotes | null },
) {
  const { repository, task, run, attempt } = world;
  const { branch: template } = world.configuration.values;
  const branch = run.options.base ?? task.base ?? (attempt.branchExisted ? null : attempt.base.branch);
  const target = { gitDir: sources.checkout.gitDir, workTree: null };
  const remote = sources.remotes?.fetch ?? null;
  const online = !run.offline;
  const isOurs = (name: string) => isNamedByUs(name, template);
  const resolved = context.locks.fetchOnce(repository.commonDir, {
    key: `base of ${JSON.stringify({ ...target, remote, branch, online, template, shell: context.shell?.id ?? null })}`,
    signal: world.signal,
    fetch: (gone) => resolveBase(withSignal(context.git, gone), target, { remote, branch, online, isOurs }),
  });
  return untilStopped(world.signal, resolved);
}

/** The commit of the person's checkout; its uncommitted changes are brought along later. */
async function baseFromCheckout(
  context: Uses<"git">,
  checkout: Checkout,
): Promise<Result<ResolvedBase, Step>> {
  const head = await readHead(context.git, { gitDir: checkout.gitDir, workTree: null });
  if (head.isErr()) return err(gitFailed("worktree", head.error));
  const { sha, branch } = head.value;
  if (sha === null) return err(failed("empty_repository", `${checkout.path} has no commit yet.`));
  return ok({ branch: branch ?? "HEAD", sha, ref: branch === null ? "HEAD" : `refs/heads/${branch}` });
}

function addFailed(error: MakeWorktreeError): Step {
  if (error.kind === "branch_name_blocked") {
    const details = { blocked_by: error.blockedBy, remote: error.remote ?? null };
    return failed("branch_name_blocked", sentence(error.message), { details });
  }
  return gitFailed("worktree", error);
}
