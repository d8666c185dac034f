/** Pushes a branch as seed 003 says: refused because others pushed first, it merges and tries again, at most twice. */
import type { Result } from "neverthrow";
import type { RunNote } from "../../domain/run/run.ts";
import type { GitError } from "../../git/git-error.ts";
import { type PushFailure, type PushResult, push } from "../../git/push.ts";
import type { Remote } from "../../git/remote.ts";
import type { ServiceContext } from "../context.ts";
import { journaled } from "../journal.ts";
import { pushTarget } from "../worktrees/reattach-worktree.ts";
import { gitFailed } from "./git-failure.ts";
import { holdBranch } from "./hold-branch.ts";
import { mergeRemote } from "./merge-remote.ts";
import { failed, note, type RunWorld, type Step } from "./step.ts";

/** Merges after which a push is tried again (seed 003, "Push With Retry"). */
const MOST_RETRIES = 2;

/** The step that the push leads to; `canceled` where a person stopped it meanwhile. */
export async function pushWithRetry(
  context: ServiceContext,
  world: RunWorld,
  { remote, tip }: { readonly remote: Remote; readonly tip: string },
): Promise<Step | "canceled"> {
  const notes: RunNote[] = [];
  const end = (step: Step): Step => ({ ...step, notes: [...(step.notes ?? []), ...notes] });
  for (let [sha, retries] = [tip, 0]; ; retries += 1) {
    const result = await pushOnce(context, world, { remote, sha });
    if (result.isErr() && result.error.kind === "canceled") return "canceled";
    const held = await holdBranch(context, world, { sha, files: "stay" });
    if (held.isOk() && held.value !== null) notes.push(held.value);
    if (result.isErr()) return end(gitFailed("push", result.error));
    if (result.value.success) return end(pushed(sha, held.isErr() ? [notHeld(sha, held.error)] : []));
    if (!result.value.requiredPull) return end(pushFailed(result.value.error));
    if (held.isErr()) return end(held.error);
    if (retries === MOST_RETRIES) return end(keptMoving());
    const merged = await mergeRemote(context, world, { remote, sha });
    if (merged.isErr()) return end(merged.error);
    sha = merged.value;
  }
}

function keptMoving(): Step {
  return failed(
    "push_rejected",
    `The remote branch kept moving: after ${MOST_RETRIES} merges the push was still refused.`,
  );
}

/** The remote has the right commit all the same. */
function notHeld(sha: string, { failure }: Step): RunNote {
  const message = `The branch may be elsewhere than at ${sha.slice(0, 8)}, which was pushed: ${failure?.message ?? ""}`;
  return note("branch_unproved", message, { sha });
}

async function pushOnce(
  context: ServiceContext,
  world: RunWorld,
  { remote, sha }: { readonly remote: Remote; readonly sha: string },
): Promise<Result<PushResult, GitError>> {
  const { attempt, repository, earlier } = world;
  const target = await pushTarget(world);
  const isFirst = !earlier.some((run) => run.outcome === "pushed");
  const request = {
    remote: remote.name,
    branch: attempt.branch,
    sha,
    upstream: isFirst ? ("set" as const) : ("keep" as const),
    signal: world.signal,
  };
  return journaled(
    context,
    {
      kind: "push",
      subject: { type: "run", id: world.run.id },
      before: { remote: remote.name, branch: attempt.branch, sha },
    },
    // Others wait for this lock: nothing but git is done under it.
    () => context.locks.pushing(repository.commonDir, () => push(context.git, target, request)),
    (result) => ({ success: result.success, error: result.success ? null : result.error.message }),
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
