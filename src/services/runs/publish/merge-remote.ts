/** Merges what others pushed to an attempt's branch, so that its push can be tried again. */
import { err, ok, type Result } from "neverthrow";
import { readHead } from "../../../git/refs/refs.ts";
import { fetchBranch } from "../../../git/remote/fetch.ts";
import { pull } from "../../../git/remote/pull.ts";
import type { Remote } from "../../../git/remote/remote.ts";
import type { GitContext, WorktreeContext } from "../../core/context-parts.ts";
import { gitFailed } from "../../run-core/git-failure.ts";
import { failed, type RunWorld, type Step } from "../../run-core/step.ts";
import { repositoryTarget, worktreeTarget } from "../../run-core/targets.ts";
import { mergeJournaled } from "../../worktrees/merge-journaled.ts";
import { readyToMerge } from "../../worktrees/ready-to-merge.ts";
import { changedMeanwhile } from "../prove/prove-commit.ts";
import { holdBranch } from "./hold-branch.ts";
import { settleMerge } from "./settle-merge.ts";

/**
 * `git fetch` of the branch and `git pull --no-rebase`: the commit to push. After a conflict the merge is taken back,
 * and the commit stays.
 */
export async function mergeRemote(
  context: WorktreeContext,
  world: RunWorld,
  { remote, sha }: { readonly remote: Remote; readonly sha: string },
): Promise<Result<string, Step>> {
  const { attempt, repository } = world;
  const unready = await whyUnready(context, world);
  if (unready !== null) return err(unready);
  const tracked = { remote, branch: attempt.branch };
  const pulled = await context.locks.shared(repository.commonDir, async () => {
    const fetched = await fetchBranch(context.git, repositoryTarget(repository), tracked);
    if (fetched.isErr()) return err(fetched.error);
    return mergeJournaled(context, world, {
      revision: `${remote.name}/${attempt.branch}`,
      conflicts: "taken_back",
      merge: (target, options) => pull(context.git, target, { ...options, ...tracked, remote: remote.name }),
    });
  });
  if (pulled.isErr()) return err(mergeFailed(world, remote, pulled.error));
  const settled = await settleMerge(context, world, { remote, from: sha });
  if (settled.isErr()) return err(settled.error);
  if (settled.value !== null) return ok(settled.value);
  const held = await holdBranch(context, world, { sha, files: "stay" });
  return err(held.isErr() ? held.error : changedMeanwhile(world, held.value === null ? [] : [held.value]));
}

/**
 * A person's merge is in progress in the worktree, or it is on another branch. Our merge would go into that.
 */
async function whyUnready(context: GitContext, world: RunWorld): Promise<Step | null> {
  const { branch, worktree } = world.attempt;
  const ready = await readyToMerge(context, world);
  if (ready.isErr()) return ready.error;
  const head = await readHead(context.git, worktreeTarget(world.attempt));
  if (head.isErr()) return gitFailed("push", head.error);
  const others = "The remote branch has other commits";
  if (ready.value !== null)
    return failed("conflict", `${others}, and a ${ready.value} goes on in ${worktree}.`, {
      details: { operation: ready.value },
    });
  if (head.value.branch === branch) return null;
  const place = head.value.branch === null ? "no branch" : `the branch ${head.value.branch}`;
  return failed("conflict", `${others}, and ${worktree} is on ${place}, not on ${branch}.`, {
    details: { branch },
  });
}

function mergeFailed(
  { attempt }: RunWorld,
  remote: Remote,
  error: { readonly kind: string; readonly message: string; readonly paths?: readonly string[] },
): Step {
  if (error.kind !== "conflict") return gitFailed("push", error);
  const message = `What others pushed to ${remote.name}/${attempt.branch} conflicts with the commits of this attempt.`;
  return failed("conflict", message, {
    details: { paths: error.paths },
  });
}
