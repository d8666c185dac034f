/** Keeps the commits of an attempt's branch by a snapshot where its latest snapshot does not hold them. */
import { ok, type Result } from "neverthrow";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import type { Repository } from "../../domain/repository/repository.ts";
import { isAncestor } from "../../git/rev-list.ts";
import { snapshotsOfAttempt } from "../../storage/snapshots.ts";
import type { ServiceContext } from "../context.ts";
import { keepSnapshot } from "./keep-snapshot.ts";
import { repositoryTarget } from "./targets.ts";

/** A worktree that was lost before it could be kept leaves its branch as the only way to what was committed. */
export async function keepTip(
  context: ServiceContext,
  of: { readonly attempt: Attempt; readonly repository: Repository; readonly tip: string },
): Promise<Result<void, { readonly message: string }>> {
  const { attempt, repository, tip } = of;
  const target = repositoryTarget(repository);
  const snapshots = await snapshotsOfAttempt(context.db.reader, attempt.id);
  const latest = snapshots.findLast(({ droppedAt }) => droppedAt === null);
  if (latest !== undefined) {
    const held = await isAncestor(context.git, target, { ancestor: tip, of: latest.commit });
    if (held.unwrapOr(false)) return ok(undefined);
  }
  const wish = { attemptId: attempt.id, runId: null, target, reason: "branch_removed", commit: tip };
  return (await keepSnapshot(context, wish)).map(() => undefined);
}
