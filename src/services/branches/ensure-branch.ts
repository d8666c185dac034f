/** Makes sure that an attempt's branch is here: restores a deleted one, or brings one that only the remote has. */
import { err, ok, type Result } from "neverthrow";
import type { Run } from "../../domain/run/run.ts";
import { lastCommitOfHead } from "../../git/refs/reflog.ts";
import { readRef, updateRef } from "../../git/refs/refs.ts";
import { fetchBranch } from "../../git/remote/fetch.ts";
import type { ChosenRemotes } from "../../git/remote/remote.ts";
import type { GitContext, Uses } from "../core/context-parts.ts";
import type { AttemptInRepository } from "../core/find-place.ts";
import { journaled } from "../core/journal.ts";
import { gitFailed, gitFailedAt } from "../run-core/git-failure.ts";
import type { RunWorld, Step } from "../run-core/step.ts";
import { repositoryTarget } from "../run-core/targets.ts";
import { restoreBranch } from "./restore-branch.ts";

interface BranchOwner extends AttemptInRepository {
  /** The run that goes on; null if none does. */
  readonly run: Run | null;
  /** The attempt's other runs, oldest first. */
  readonly earlier: readonly Run[];
}

type Lost = { readonly kind: string; readonly message: string };

/**
 * Leaves a branch that exists. Else makes it again at the run's own commit or start, or at the last HEAD of the
 * worktree. Failing that, at the attempt's last commit, to which no other reference may point any more.
 */
export async function ensureBranch(context: GitContext, owner: BranchOwner): Promise<Result<void, Lost>> {
  const { branch } = owner.attempt;
  const restored = await restoreBranch(context, owner, async () => {
    const sha = await lastKnown(context, owner);
    const message = `The branch ${branch} is gone, and with it the attempt's commits.`;
    return sha.andThen((known) => (known === null ? err({ kind: "worktree_missing", message }) : ok(known)));
  });
  return restored.map(() => undefined);
}

async function lastKnown(context: Uses<"git">, owner: BranchOwner): Promise<Result<string | null, Lost>> {
  const { attempt, run, earlier, repository } = owner;
  const head = attempt.gitDir === null ? null : await lastCommitOfHead(attempt.gitDir);
  const last = earlier.findLast(({ commit }) => commit !== null)?.commit ?? null;
  for (const sha of [run?.commit, run?.startSha, head, last, attempt.base.sha]) {
    if (!sha) continue;
    const found = await readRef(context.git, repositoryTarget(repository), `${sha}^{commit}`);
    // An older commit would take commits from the branch.
    if (found.isErr() || found.value !== null) return found;
  }
  return ok(null);
}

/** Makes a local branch from one that a person named and only the remote has. A local branch stays as it is. */
export async function bringBranch(
  context: GitContext & Uses<"locks">,
  world: RunWorld,
  remotes: ChosenRemotes | null,
): Promise<Result<void, Step>> {
  const { repository, attempt, run } = world;
  const { branch } = attempt;
  const target = repositoryTarget(repository);
  const ref = `refs/heads/${branch}`;
  const local = await readRef(context.git, target, ref);
  if (local.isErr()) return err(gitFailed("worktree", local.error));
  if (local.value !== null || remotes === null) return ok(undefined);
  const remote = remotes.push;
  const made = await context.locks.shared(repository.commonDir, async () => {
    const fetched = run.offline ? ok(undefined) : await fetchBranch(context.git, target, { remote, branch });
    if (fetched.isErr()) return err(fetched.error);
    const restored = await readRef(context.git, target, `refs/remotes/${remote.name}/${branch}^{commit}`);
    if (restored.isErr() || restored.value === null) return restored.map(() => undefined);
    const to = restored.value;
    return journaled(
      context,
      { kind: "branch_created", subject: { type: "attempt", id: attempt.id }, before: { branch, sha: null } },
      () => updateRef(context.git, target, { ref, from: null, to, reason: `tazuna: from ${remote.name}` }),
      () => ({ branch, sha: to }),
    );
  });
  return made.mapErr(gitFailedAt("fetch"));
}
