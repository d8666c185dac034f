/** Takes a snapshot of a working tree and records it, before anything that could lose work. */
import type { Result } from "neverthrow";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import type { Run } from "../../domain/run/run.ts";
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
import { worktreeTarget } from "./targets.ts";

interface SnapshotOwner {
  readonly attempt: Pick<Attempt, "id" | "gitDir" | "worktree">;
  /** Absent if no run takes it. */
  readonly run?: Pick<Run, "id">;
}

interface SnapshotRequest {
  /** The attempt's worktree if absent. */
  readonly target?: GitTarget;
  /** Stable, such as `cancel`, `agent_moved_head`, `from_worktree`. */
  readonly reason: string;
  /** A commit to keep instead of what lies in the working tree. */
  readonly commit?: string;
}

/** The snapshot, read back by git and recorded; it lists what it does not contain. */
export async function keepSnapshot(
  context: GitContext,
  { attempt, run }: SnapshotOwner,
  { reason, commit, target = worktreeTarget(attempt) }: SnapshotRequest,
): Promise<Result<Snapshot, SnapshotError>> {
  const { id: attemptId } = attempt;
  const recorded = await snapshotsOfAttempt(context.db.reader, attemptId);
  const options = { attempt: attemptId, reason, above: recorded.at(-1)?.number ?? 0 };
  const kept = await journaled(
    context,
    { kind: "snapshot", subject: { type: "attempt", id: attemptId }, before: { reason } },
    () =>
      commit === undefined
        ? takeSnapshot(context.git, target, options)
        : snapshotOfCommit(context.git, target, { ...options, commit }),
    (snapshot) => ({ ref: snapshot.ref, sha: snapshot.sha, not_contained: snapshot.notContained }),
    (trx, { ref, sha, notContained }) =>
      insertSnapshot(trx, {
        attemptId,
        number: Number(ref.slice(ref.lastIndexOf("/") + 1)),
        runId: run?.id ?? null,
        ref,
        commit: sha,
        reason,
        notContained: notContained.map(({ path }) => path),
        createdAt: context.clock.iso(),
        droppedAt: null,
      }),
  );
  if (kept.isOk()) context.ownDepot.nudge(attemptId, "snapshot");
  return kept;
}
