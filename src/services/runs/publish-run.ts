/** Publishes what an attempt committed: to the remote, or nowhere where there is none or a person wants to look first. */
import { err, ok, type Result } from "neverthrow";
import type { PublishPolicy } from "../../domain/task/task.ts";
import { pushLfs } from "../../git/lfs.ts";
import { remoteHead } from "../../git/ls-remote.ts";
import { readRef } from "../../git/refs.ts";
import type { Remote } from "../../git/remote.ts";
import type { ServiceContext } from "../context.ts";
import { remotesOf } from "../repositories/choose-remote.ts";
import { ensureBranch } from "../worktrees/ensure-branch.ts";
import { lfsOf } from "../worktrees/known-trees.ts";
import { pushTarget } from "../worktrees/reattach-worktree.ts";
import { repositoryTarget } from "../worktrees/targets.ts";
import { gitFailed } from "./git-failure.ts";
import { judgeMerge } from "./judge-merge.ts";
import { pushed, pushWithRetry } from "./push-with-retry.ts";
import { failed, type RunWorld, type Step } from "./step.ts";

/** PUSHING: ends pushed, or committed where there is nothing to push to, or with why the remote has not got it. */
export async function publishRun(context: ServiceContext, world: RunWorld): Promise<Step> {
  const { repository, configuration, run } = world;
  const remotes = await remotesOf(context, { commonDir: repository.commonDir, configuration });
  if (remotes.isErr()) return gitFailed("push", remotes.error);
  const held = policyOf(world) !== "push" && run.kind !== "publish";
  if (remotes.value === null || held) {
    if (stopWanted(world)) return { event: "cancel" };
    return { event: "finish", run: { outcome: "committed" } };
  }
  const remote = remotes.value.push;
  const tip = await tipOf(context, world);
  if (tip.isErr()) return tip.error;
  const cancel = () => cancelWhilePushing(context, world, remote);
  if (stopWanted(world)) return cancel();
  const judged = await judgeEarlierMerge(context, world, { remote, tip: tip.value });
  if (judged.isErr()) return judged.error;
  const lfs = await pushLargeFiles(context, world, remote);
  if (lfs !== null) return lfs;
  const step = await pushWithRetry(context, world, { remote, tip: tip.value });
  return step === "canceled" ? cancel() : step;
}

/** What was asked of this very run, else of its task. */
function policyOf({ run, task, configuration }: RunWorld): PublishPolicy {
  return run.options.settings?.publish === undefined ? task.publish : configuration.values.publish;
}

/** A merge that an engine made and was killed before the gate had read it is read now. */
async function judgeEarlierMerge(
  context: ServiceContext,
  world: RunWorld,
  of: { readonly remote: Remote; readonly tip: string },
): Promise<Result<void, Step>> {
  const { resumed, run } = world;
  if (!resumed || run.commit === null || run.commit === of.tip) return ok(undefined);
  return judgeMerge(context, world, of.remote);
}

/** The commit to push: what this driver has just committed, else where the branch is. */
async function tipOf(context: ServiceContext, world: RunWorld): Promise<Result<string, Step>> {
  if (!world.resumed && world.run.commit !== null) return ok(world.run.commit);
  const ref = `refs/heads/${world.attempt.branch}^{commit}`;
  const there = await ensureBranch(context, world);
  if (there.isErr()) return err(gitFailed("push", there.error));
  const tip = await readRef(context.git, repositoryTarget(world.repository), ref);
  if (tip.isErr()) return err(gitFailed("push", tip.error));
  return tip.value === null
    ? err(failed("worktree_lost", `The branch ${world.attempt.branch} is gone.`))
    : ok(tip.value);
}

const LAST_QUESTION_MS = 5_000;

/** Arrived is arrived: only the remote knows whether a cancel came too late. */
async function cancelWhilePushing(context: ServiceContext, world: RunWorld, remote: Remote): Promise<Step> {
  const { branch } = world.attempt;
  const target = repositoryTarget(world.repository);
  // Asked again: a retry may have merged what others pushed, and pushed that.
  const tip = await readRef(context.git, target, `refs/heads/${branch}^{commit}`);
  // The run's own signal has aborted by now, and a person waits: a remote that is slow to answer counts as without it.
  const limits = { timeoutMs: LAST_QUESTION_MS, signal: new AbortController().signal };
  const there = await remoteHead(context.git, target, { remote: remote.name, branch, ...limits });
  if (tip.isErr() || there.isErr() || tip.value === null || there.value !== tip.value)
    return { event: "cancel" };
  return pushed(tip.value, [
    { code: "cancel_too_late", message: "The push had arrived before it could be cancelled.", details: {} },
  ]);
}

function stopWanted(world: RunWorld): boolean {
  return world.signal.aborted || world.run.stopRequest !== null;
}

async function pushLargeFiles(
  context: ServiceContext,
  world: RunWorld,
  remote: Remote,
): Promise<Step | null> {
  const target = await pushTarget(world);
  const facts = await lfsOf(context, target, world.run.tree ?? world.run.id);
  if (facts.isErr()) return gitFailed("push", facts.error);
  if (!facts.value.used) return null;
  if (!facts.value.installed) return failed("lfs_missing", "git-lfs is not installed on this machine.");
  const uploaded = await pushLfs(context.git, target, { remote: remote.name, branch: world.attempt.branch });
  return uploaded.isErr() ? gitFailed("push", uploaded.error) : null;
}
