/** Removes an attempt's branch, and keeps a reference to its commits if nothing else holds them. */
import { err, ok, type Result } from "neverthrow";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import type { Repository } from "../../domain/repository/repository.ts";
import { deleteBranchAt } from "../../git/refs/branch.ts";
import { heldElsewhere } from "../../git/refs/held-elsewhere.ts";
import { deleteRef, readRef } from "../../git/refs/refs.ts";
import { isAncestor } from "../../git/refs/rev-list.ts";
import { listWorktrees } from "../../git/worktree/worktree-list.ts";
import { branchesOfRepositories } from "../../storage/queries/attempt-branches.ts";
import { operationsOfKinds } from "../../storage/queries/find-operations.ts";
import { pullRequestHeads, pullRequestOf } from "../../storage/tables/pull-requests.ts";
import { snapshotsOfAttempt } from "../../storage/tables/snapshots.ts";
import type { GitContext, JournalContext, Uses } from "../core/context-parts.ts";
import type { AttemptInRepository } from "../core/find-place.ts";
import { journaled } from "../core/journal.ts";
import { keepSnapshot } from "../run-core/keep-snapshot.ts";
import { repositoryTarget } from "../run-core/targets.ts";

type Outcome = Result<void, { readonly kind: string; readonly message: string }>;

/**
 * A branch that was there before the attempt stays, and so does one with an open pull request. A
 * branch that is gone counts as removed. A
 * clean-up leaves a branch that is the only way to its work, or that git refuses to delete.
 */
export async function removeBranch(
  context: GitContext & Uses<"locks">,
  removal: AttemptInRepository,
): Promise<Outcome> {
  const { attempt, repository } = removal;
  if (attempt.branchExisted || attempt.base.sha === null) return ok(undefined);
  const target = repositoryTarget(repository);
  const tip = await readRef(context.git, target, `refs/heads/${attempt.branch}^{commit}`);
  if (tip.isErr()) return err(tip.error);
  if (tip.value === null) return ok(undefined);
  if (await hasOpenPullRequest(context, attempt)) return ok(undefined);
  if (attempt.gitDir === null) return removeBareBranch(context, removal, tip.value);
  const kept = await keepTip(context, { ...removal, tip: tip.value });
  if (kept.isErr()) return err(kept.error);
  const at = tip.value;
  const cleaned = await wasCleaned(context, attempt);
  // A squash holds the work and not the commits: those are in the snapshot, which stays.
  const merged = attempt.merged?.tip === at;
  if (cleaned && !merged && !(await heldByOthers(context, repository, [at])).has(at)) return ok(undefined);
  const removed = await inJournal(context, removal, at, () =>
    deleteBranchAt(context.git, target, { branch: attempt.branch, at }),
  );
  // For example, the branch is checked out elsewhere: the journal says so, and nothing waits for it.
  return cleaned ? ok(undefined) : removed;
}

/** Its branch is what reviewers talk about, and what a follow-up goes on from. */
async function hasOpenPullRequest({ db }: Uses<"db">, { id }: Attempt): Promise<boolean> {
  const tracked = await pullRequestOf(db.reader, id);
  return tracked !== null && (tracked.state === "open" || tracked.wanted !== null);
}

/**
 * The engine was killed before git's answer was stored. The name is ours only if nothing was added to the branch and no
 * worktree has it checked out.
 */
async function removeBareBranch(
  context: GitContext & Uses<"locks">,
  removal: AttemptInRepository,
  tip: string,
): Promise<Outcome> {
  const { attempt, repository } = removal;
  if (tip !== attempt.base.sha) return ok(undefined);
  const listed = await listWorktrees(context.git, repositoryTarget(repository));
  if (listed.isErr()) return err(listed.error);
  if (listed.value.some(({ branch }) => branch === attempt.branch)) return ok(undefined);
  const ref = `refs/heads/${attempt.branch}`;
  return inJournal(context, removal, tip, () =>
    deleteRef(context.git, repositoryTarget(repository), { ref, from: tip }),
  );
}

function inJournal(
  context: JournalContext & Uses<"locks">,
  { attempt, repository }: AttemptInRepository,
  sha: string,
  act: () => Promise<Outcome>,
): Promise<Outcome> {
  return context.locks.config(repository.commonDir, () =>
    journaled(
      context,
      {
        kind: "branch_delete",
        subject: { type: "attempt", id: attempt.id },
        before: { branch: attempt.branch, sha },
        undoable: true,
      },
      act,
      () => null,
    ),
  );
}

/**
 * Keeps the commits of the branch by a snapshot if its latest snapshot does not hold them. If a worktree was lost
 * before it could be kept, its branch is the only way to its commits.
 */
async function keepTip(
  context: GitContext,
  removed: AttemptInRepository & { readonly tip: string },
): Promise<Result<void, { readonly kind: string; readonly message: string }>> {
  const { attempt, repository, tip } = removed;
  const target = repositoryTarget(repository);
  const snapshots = await snapshotsOfAttempt(context.db.reader, attempt.id);
  const latest = snapshots.findLast(({ droppedAt }) => droppedAt === null);
  if (latest !== undefined) {
    const held = await isAncestor(context.git, target, { ancestor: tip, descendant: latest.commit });
    if (held.unwrapOr(false)) return ok(undefined);
  }
  const request = { target, reason: "branch_removed", commit: tip };
  return (await keepSnapshot(context, { attempt }, request)).map(() => undefined);
}

/** Those of the commits that more than the branches of attempts lead to, or a pull request has; else none if git cannot say. */
export async function heldByOthers(
  context: Uses<"db" | "git">,
  repository: Repository,
  commits: readonly string[],
): Promise<ReadonlySet<unknown>> {
  const except = await branchesOfRepositories(context.db.reader, [repository.id]);
  const held = await heldElsewhere(context.git, repositoryTarget(repository), { commits, except });
  const onForges = await pullRequestHeads(context.db.reader, commits);
  return new Set([...held.unwrapOr(new Set<string>()), ...onForges]);
}

/** Whether its latest end was a clean-up. The journal says so at the very time of the end. */
export async function wasCleaned(context: Uses<"db">, attempt: Attempt): Promise<boolean> {
  const cleaned = (await operationsOfKinds(context.db.reader, ["clean"], attempt.id)).at(-1);
  return cleaned !== undefined && cleaned.at === attempt.endedAt;
}
