/** Takes a snapshot of a working tree and records it, before anything that could lose work. */
import type { Result } from "neverthrow";
import type { GitTarget } from "../../git/runner/run-git.ts";
import {
  type Snapshot,
  type SnapshotError,
  snapshotOfCommit,
  takeSnapshot,
} from "../../git/snapshot/snapshot.ts";
import { insertSnapshot, snapshotsOfAttempt } from "../../storage/tables/snapshots.ts";
import type { GitContext } from "../core/context-parts.ts";
import { journaled } from "../core/journal.ts";

interface SnapshotRequest {
  readonly attemptId: string;
  readonly runId: string | null;
  readonly target: GitTarget;
  /** Stable, such as `cancel`, `agent_moved_head`, `from_worktree`. */
  readonly reason: string;
  /** A commit to keep instead of what lies in the working tree. */
  readonly commit?: string;
}

/** The snapshot, read back by git and recorded; it lists what it does not contain. */
export async function keepSnapshot(
  context: GitContext,
  request: SnapshotRequest,
): Promise<Result<Snapshot, SnapshotError>> {
  const { attemptId: attempt, reason, target, commit } = request;
  const recorded = await snapshotsOfAttempt(context.db.reader, attempt);
  const options = { attempt, reason, above: recorded.at(-1)?.number ?? 0 };
  return journaled(
    context,
    { kind: "snapshot", subject: { type: "attempt", id: attempt }, before: { reason } },
    () =>
      commit === undefined
        ? takeSnapshot(context.git, target, options)
        : snapshotOfCommit(context.git, target, { ...options, commit }),
    (snapshot) => ({ ref: snapshot.ref, sha: snapshot.sha, not_contained: snapshot.notContained }),
    (trx, snapshot) => insertSnapshot(trx, { ...rowOf(request, snapshot), createdAt: context.clock.iso() }),
  );
}

function rowOf({ attemptId, runId, reason }: SnapshotRequest, { ref, sha, notContained }: Snapshot) {
  return {
    attemptId,
    number: Number(ref.slice(ref.lastIndexOf("/") + 1)),
    runId,
    ref,
    commit: sha,
    reason,
    notContained: notContained.map(({ path }) => path),
    droppedAt: null,
  };
}
