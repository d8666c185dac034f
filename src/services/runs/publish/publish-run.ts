/** Publishes what an attempt committed: not if there is no remote, or if a person wants to look first. */

import { err, ok, type Result } from "neverthrow";
import type { PublishPolicy } from "../../../domain/task/task.ts";
import { pushLfs } from "../../../git/index/lfs.ts";
import { readRef } from "../../../git/refs/refs.ts";
import { pushedHeads } from "../../../git/remote/ls-remote.ts";
import type { Remote } from "../../../git/remote/remote.ts";
import { operationsOfKinds } from "../../../storage/queries/find-operations.ts";
import { ensureBranch } from "../../branches/ensure-branch.ts";
import { pushTarget } from "../../branches/reattach-worktree.ts";
import { finishRename } from "../../branches/rename-branch.ts";
import type { GitContext, Uses, WorktreeContext } from "../../core/context-parts.ts";
import { lfsOf } from "../../core/known-trees.ts";
import { protectCommit } from "../../depot/protect-attempt.ts";
import { remotesOf } from "../../repositories/choose-remote.ts";
import { gitFailed, gitFailedAt } from "../../run-core/git-failure.ts";
import { failed, type RunWorld, type Step, stepOf } from "../../run-core/step.ts";
import { repositoryTarget } from "../../run-core/targets.ts";
import { pushed } from "./push-ending.ts";
import { pushWithRetry } from "./push-with-retry.ts";
import { settleMerge } from "./settle-merge.ts";

/**
 * PUSHING: ends pushed, or committed if there is no remote. Else ends with the reason why the remote lacks the commit.
 */
export async function publishRun(
  context: WorktreeContext & Uses<"knownTrees" | "configuration">,
  world: RunWorld,
): Promise<Step> {
  return stepOf(async function* () {
    const { repository, configuration, run } = world;
    const remotes = yield* (
      await remotesOf(context, { commonDir: repository.commonDir, configuration })
    ).mapErr(gitFailedAt("push"));
    const held = policyOf(world) !== "push" && run.kind !== "publish";
    if (remotes === null || held) {
      if (stopWanted(world)) return { event: "cancel" };
      return { event: "finish", run: { outcome: "committed" } };
    }
    if (world.resumed || run.kind === "publish")
      yield* (await finishRename(context, world)).mapErr(gitFailedAt("push"));
    const remote = remotes.push;
    const cancel = () => cancelWhilePushing(context, world, remote);
    if (stopWanted(world)) return cancel();
    const tip = yield* await tipToPush(context, world, remote);
    // If this machine is lost during the push, the commit is not.
    await protectCommit(context, world.attempt.id, {
      lease: { id: run.id, epoch: world.epoch },
      sha: tip,
    });
    const lfs = await pushLargeFiles(context, world, { remote, sha: tip });
    if (lfs !== null) return lfs;
    const step = await pushWithRetry(context, world, { remote, tip });
    return step === "canceled" ? cancel() : step;
  });
}

/** The policy of this very run, else of its task. */
function policyOf({ run, task, configuration }: RunWorld): PublishPolicy {
  return run.options.settings?.publish === undefined ? task.publish : configuration.values.publish;
}

const LAST_QUESTION_MS = 5_000;

/** A commit that is at every address has arrived: only the remote knows whether a cancel came too late. */
async function cancelWhilePushing(
  context: Uses<"db" | "git">,
  world: RunWorld,
  remote: Remote,
): Promise<Step> {
  const { branch } = world.attempt;
  const target = repositoryTarget(world.repository);
  const sha = (await lastPushed(context, world.run.id)) ?? world.run.commit;
  // The run's own signal has aborted by now, and a person waits. A slow remote counts as without the commit.
  const limits = { timeoutMs: LAST_QUESTION_MS, signal: new AbortController().signal };
  const remoteHeads = await pushedHeads(context.git, target, { remote, branch, ...limits });
  if (sha === null || remoteHeads.isErr() || remoteHeads.value.some((head) => head !== sha))
    return { event: "cancel" };
  return pushed(sha, [
    { code: "cancel_too_late", message: "The push had arrived before it could be cancelled.", details: {} },
  ]);
}

function stopWanted(world: RunWorld): boolean {
  return world.signal.aborted || world.run.stopRequest !== null;
}

async function pushLargeFiles(
  context: Uses<"git" | "knownTrees">,
  world: RunWorld,
  { remote, sha }: { readonly remote: Remote; readonly sha: string },
): Promise<Step | null> {
  const target = await pushTarget(world);
  const facts = await lfsOf(context, target, world.run.tree ?? world.run.id);
  if (facts.isErr()) return gitFailed("push", facts.error);
  if (!facts.value.used) return null;
  if (!facts.value.installed) return failed("lfs_missing", "git-lfs is not installed on this machine.");
  const { branch } = world.attempt;
  const uploaded = await pushLfs(context.git, target, { remote: remote.name, branch, sha });
  return uploaded.isErr() ? gitFailed("push", uploaded.error) : null;
}

/**
 * The commit that this driver has just made, or the one that an earlier driver was to push. It includes a merge of the
 * earlier driver that the gate has not read yet. A run that only publishes takes the branch as it is: a person may have
 * committed there.
 */
async function tipToPush(
  context: GitContext & Uses<"locks">,
  world: RunWorld,
  remote: Remote,
): Promise<Result<string, Step>> {
  const { resumed, run } = world;
  const known = (resumed ? await lastPushed(context, run.id) : null) ?? run.commit;
  if (known === null) return tipOfBranch(context, world);
  if (!resumed) return ok(known);
  return (await settleMerge(context, world, { remote, from: known })).map((tip) => tip ?? known);
}

/** The last commit that a run was to push, from the journal; null if it never got that far. */
async function lastPushed(context: Uses<"db">, runId: string): Promise<string | null> {
  const pushes = await operationsOfKinds(context.db.reader, ["push"], runId);
  const { commit, sha: earlier } = pushes.at(-1)?.before ?? {};
  // An earlier version wrote the commit there.
  const sha = commit ?? earlier;
  return typeof sha === "string" ? sha : null;
}

async function tipOfBranch(context: GitContext, world: RunWorld): Promise<Result<string, Step>> {
  const ref = `refs/heads/${world.attempt.branch}^{commit}`;
  const remoteHeads = await ensureBranch(context, world);
  if (remoteHeads.isErr()) return err(gitFailed("push", remoteHeads.error));
  const tip = await readRef(context.git, repositoryTarget(world.repository), ref);
  if (tip.isErr()) return err(gitFailed("push", tip.error));
  return tip.value === null
    ? err(failed("worktree_lost", `The branch ${world.attempt.branch} is gone.`))
    : ok(tip.value);
}
