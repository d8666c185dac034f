import type { PublishPolicy } from "../../../domain/task/task.ts";
import { pushLfs } from "../../../git/index/lfs.ts";
import { pushedHeads } from "../../../git/remote/ls-remote.ts";
import type { Remote } from "../../../git/remote/remote.ts";
import { pushTarget } from "../../branches/reattach-worktree.ts";
import { finishRename } from "../../branches/rename-branch.ts";
import type { ServiceContext } from "../../core/context.ts";
import type { WorktreeContext } from "../../core/context-parts.ts";
import { lfsOf } from "../../core/known-trees.ts";
import { remotesOf } from "../../repositories/choose-remote.ts";
import { gitFailed } from "../../run-core/git-failure.ts";
import { failed, type RunWorld, type Step, stepOf } from "../../run-core/step.ts";
import { repositoryTarget } from "../../run-core/targets.ts";
import { pushed, pushWithRetry } from "./push-with-retry.ts";
import { lastPushed, tipToPush } from "./tip-to-push.ts";

/**
 * PUSHING: ends pushed, or committed if there is no remote. Else ends with the reason why the remote lacks the commit.
 */
export async function publishRun(
  context: WorktreeContext & Pick<ServiceContext, "knownTrees">,
  world: RunWorld,
): Promise<Step> {
  return stepOf(async function* () {
    const { repository, configuration, run } = world;
    const remotes = yield* (
      await remotesOf(context, { commonDir: repository.commonDir, configuration })
    ).mapErr((error) => gitFailed("push", error));
    const held = policyOf(world) !== "push" && run.kind !== "publish";
    if (remotes === null || held) {
      if (stopWanted(world)) return { event: "cancel" };
      return { event: "finish", run: { outcome: "committed" } };
    }
    if (world.resumed || run.kind === "publish")
      yield* (await finishRename(context, world)).mapErr((error) => gitFailed("push", error));
    const remote = remotes.push;
    const cancel = () => cancelWhilePushing(context, world, remote);
    if (stopWanted(world)) return cancel();
    const tip = yield* await tipToPush(context, world, remote);
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
  context: Pick<ServiceContext, "db" | "git">,
  world: RunWorld,
  remote: Remote,
): Promise<Step> {
  const { branch } = world.attempt;
  const target = repositoryTarget(world.repository);
  const sha = (await lastPushed(context, world.run.id)) ?? world.run.commit;
  // The run's own signal has aborted by now, and a person waits: if the remote is slow, it counts as without the
  // commit.
  const limits = { timeoutMs: LAST_QUESTION_MS, signal: new AbortController().signal };
  const there = await pushedHeads(context.git, target, { remote, branch, ...limits });
  if (sha === null || there.isErr() || there.value.some((head) => head !== sha)) return { event: "cancel" };
  return pushed(sha, [
    { code: "cancel_too_late", message: "The push had arrived before it could be cancelled.", details: {} },
  ]);
}

function stopWanted(world: RunWorld): boolean {
  return world.signal.aborted || world.run.stopRequest !== null;
}

async function pushLargeFiles(
  context: Pick<ServiceContext, "git" | "knownTrees">,
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
