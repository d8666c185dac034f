/** Pushes a branch as seed 003 says: refused because others pushed first, it merges and tries again, at most twice. */
import { err, type Result } from "neverthrow";
import { fetchBranch } from "../../git/fetch.ts";
import type { GitError } from "../../git/git-error.ts";
import { pull } from "../../git/pull.ts";
import { type PushFailure, type PushResult, push } from "../../git/push.ts";
import { readRef } from "../../git/refs.ts";
import type { Remote } from "../../git/remote.ts";
import type { ServiceContext } from "../context.ts";
import { journaled } from "../journal.ts";
import { ensureBranch } from "../worktrees/ensure-branch.ts";
import { mergeJournaled } from "../worktrees/merge-journaled.ts";
import { readyToMerge } from "../worktrees/ready-to-merge.ts";
import { pushTarget } from "../worktrees/reattach-worktree.ts";
import { repositoryTarget, worktreeTarget } from "../worktrees/targets.ts";
import { gitFailed } from "./git-failure.ts";
import { judgeMerge } from "./judge-merge.ts";
import { changedMeanwhile } from "./prove-commit.ts";
import { failed, type RunWorld, type Step } from "./step.ts";

/** Merges after which a push is tried again (seed 003, "Push With Retry"). */
const MOST_RETRIES = 2;

/** The step that the push leads to; `canceled` where a person stopped it meanwhile. */
export async function pushWithRetry(
  context: ServiceContext,
  world: RunWorld,
  { remote, tip }: { readonly remote: Remote; readonly tip: string },
): Promise<Step | "canceled"> {
  for (let retries = 0; ; retries += 1) {
    if (retries === 0 && (await hasMoved(context, world, tip))) return changedMeanwhile(world);
    const result = await pushOnce(context, world, remote);
    if (result.isErr())
      return result.error.kind === "canceled" ? "canceled" : gitFailed("push", result.error);
    if (result.value.success) return retries === 0 ? pushed(tip, []) : pushedMerge(context, world);
    if (!result.value.requiredPull) return pushFailed(result.value.error);
    if (retries === MOST_RETRIES)
      return failed(
        "push_rejected",
        `The remote branch kept moving: after ${MOST_RETRIES} merges the push was still refused.`,
      );
    const merged = await mergeRemote(context, world, remote);
    if (merged.isErr()) return merged.error;
  }
}

/** Git pushes the branch by its name: it must still be at the commit that was to be pushed. One that was deleted is put back there. */
async function hasMoved(context: ServiceContext, world: RunWorld, tip: string): Promise<boolean> {
  const ref = `refs/heads/${world.attempt.branch}^{commit}`;
  const now = await readRef(context.git, repositoryTarget(world.repository), ref);
  if (now.isOk() && now.value === null) return (await ensureBranch(context, world)).isErr();
  return now.isOk() && now.value !== tip;
}

/** After a merge the remote has another commit than the one that was made first. */
async function pushedMerge(context: ServiceContext, world: RunWorld): Promise<Step> {
  const tip = await readRef(context.git, worktreeTarget(world.attempt), "HEAD^{commit}");
  if (tip.isErr()) return gitFailed("push", tip.error);
  return tip.value === null ? failed("worktree_lost", "HEAD is gone.") : pushed(tip.value, []);
}

async function pushOnce(
  context: ServiceContext,
  world: RunWorld,
  remote: Remote,
): Promise<Result<PushResult, GitError>> {
  const { attempt, repository, earlier } = world;
  const target = await pushTarget(world);
  const isFirst = !earlier.some((run) => run.outcome === "pushed");
  const request = {
    remote: remote.name,
    branch: attempt.branch,
    upstream: isFirst ? ("set" as const) : ("keep" as const),
    signal: world.signal,
  };
  return journaled(
    context,
    {
      kind: "push",
      subject: { type: "run", id: world.run.id },
      before: { remote: remote.name, branch: attempt.branch },
    },
    // Others wait for this lock: nothing but git is done under it.
    () => context.locks.pushing(repository.commonDir, () => push(context.git, target, request)),
    (result) => ({ success: result.success, error: result.success ? null : result.error.message }),
  );
}

/** `git fetch` of the branch and `git pull --no-rebase`; a conflict is taken back, the commit stays. */
async function mergeRemote(
  context: ServiceContext,
  world: RunWorld,
  remote: Remote,
): Promise<Result<void, Step>> {
  const { attempt, repository } = world;
  const ready = await readyToMerge(context, world);
  if (ready.isErr()) return err(ready.error);
  if (ready.value !== null) return err(busyWorktree(world, ready.value));
  const tracked = { remote, branch: attempt.branch };
  const pulled = await context.locks.shared(repository.commonDir, async () => {
    const fetched = await fetchBranch(context.git, repositoryTarget(repository), tracked);
    if (fetched.isErr()) return err(fetched.error);
    return mergeJournaled(context, world, {
      revision: `${remote.name}/${attempt.branch}`,
      merge: (target, options) => pull(context.git, target, { ...options, ...tracked, remote: remote.name }),
    });
  });
  if (pulled.isOk()) return judgeMerge(context, world, remote);
  if (pulled.error.kind === "conflict")
    return err(
      failed("conflict", `Someone else changed the same lines on ${remote.name}/${attempt.branch}.`, {
        details: { paths: pulled.error.paths },
      }),
    );
  return err(gitFailed("push", pulled.error));
}

function busyWorktree(world: RunWorld, operation: string): Step {
  return failed(
    "conflict",
    `The remote branch has other commits, and a ${operation} goes on in ${world.attempt.worktree}.`,
  );
}

/** The run's success: the remote has this commit. */
export function pushed(sha: string, notes: Step["notes"]): Step {
  return {
    event: "finish",
    run: { outcome: "pushed", commit: sha },
    ...(notes === undefined ? {} : { notes }),
  };
}

function pushFailed(error: PushFailure): Step {
  switch (error.kind) {
    case "remote_auth":
      return failed("push_auth", error.message);
    case "remote_unreachable":
      return failed("remote_unreachable", error.message);
    case "remote_rejected":
      return failed("push_rejected", `The remote refused the push: ${error.reason}`, {
        details: { remote: error.remoteSaid },
      });
    case "behind":
      return failed("push_rejected", error.message);
  }
}
