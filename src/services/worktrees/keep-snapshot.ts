/** Takes a snapshot of a working tree and writes it down, before anything that could lose work. */
import { err, ok, type Result } from "neverthrow";
import type { GitTarget } from "../../git/run-git.ts";
import { type Snapshot, type SnapshotError, snapshotOfCommit, takeSnapshot } from "../../git/snapshot.ts";
import { insertSnapshot } from "../../storage/snapshots.ts";
import { transact } from "../../storage/transact.ts";
import type { ServiceContext } from "../context.ts";
import { journaled } from "../journal.ts";

export interface SnapshotWish {
  readonly attemptId: string;
  readonly runId: string | null;
  readonly target: GitTarget;
  /** Stable, such as `cancel`, `agent_moved_head`, `from_worktree`. */
  readonly reason: string;
  /** A commit to keep instead of what lies in the working tree. */
  readonly commit?: string;
}

/** The snapshot, read back by git and recorded; what it does not contain is listed in it. */
export async function keepSnapshot(
  context: ServiceContext,
  wish: SnapshotWish,
): Promise<Result<Snapshot, SnapshotError>> {
  const { attemptId: attempt, reason, target, commit } = wish;
  const taken = await journaled(
    context,
    { kind: "snapshot", subject: { type: "attempt", id: wish.attemptId }, before: { reason: wish.reason } },
    () =>
      commit === undefined
        ? takeSnapshot(context.git, target, { attempt, reason })
        : snapshotOfCommit(context.git, target, { attempt, reason, commit }),
    (snapshot) => ({ ref: snapshot.ref, sha: snapshot.sha, not_contained: snapshot.notContained }),
  );
  if (taken.isErr()) return err(taken.error);
  await transact(context.db, (trx) =>
    insertSnapshot(trx, {
      attemptId: wish.attemptId,
      number: Number(taken.value.ref.slice(taken.value.ref.lastIndexOf("/") + 1)),
      runId: wish.runId,
      ref: taken.value.ref,
      commit: taken.value.sha,
      reason: wish.reason,
      notContained: taken.value.notContained.map(({ path }) => path),
      createdAt: context.clock.iso(),
      droppedAt: null,
    }),
  );
  return ok(taken.value);
}
