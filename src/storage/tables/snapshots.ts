/** Stores the snapshots of worktrees: commits under private refs, made before any action that could lose work. */
import { z } from "zod";
import { jsonColumn, rowReader, timeColumn, toJson, toTime, toTimeOrNull } from "../schema/row.ts";
import type { Reader, WriteTransaction } from "../schema/schema.ts";

export interface Snapshot {
  readonly attemptId: string;
  /** Counts from 1 within the attempt; the last part of the ref. */
  readonly number: number;
  /** The run it was made for, if there was one. */
  readonly runId: string | null;
  /** `refs/tazuna/snapshots/ATTEMPT/N`. */
  readonly ref: string;
  readonly commit: string;
  /** Stable, such as `cancel`, `agent_commit_undone`, `trash`. */
  readonly reason: string;
  /** Paths in the worktree that the commit does not hold (nested repositories, unreadable files). */
  readonly notContained: readonly string[];
  readonly createdAt: string;
  /** When the ref was deleted; null while it exists. */
  readonly droppedAt: string | null;
}

/** Throws if the attempt has a snapshot of that number. */
export async function insertSnapshot(trx: WriteTransaction, snapshot: Snapshot): Promise<void> {
  await trx
    .insertInto("snapshots")
    .values({
      attempt_id: snapshot.attemptId,
      number: snapshot.number,
      run_id: snapshot.runId,
      ref: snapshot.ref,
      commit_sha: snapshot.commit,
      reason: snapshot.reason,
      not_contained: toJson(snapshot.notContained),
      created_at: toTime(snapshot.createdAt),
      dropped_at: toTimeOrNull(snapshot.droppedAt),
    })
    .execute();
}

/** By number, even those whose reference was deleted. */
export async function snapshotsOfAttempt(db: Reader, attemptId: string): Promise<Snapshot[]> {
  const rows = await db
    .selectFrom("snapshots")
    .selectAll()
    .where("attempt_id", "=", attemptId)
    .orderBy("number")
    .execute();
  return rows.map(toSnapshot);
}

/** Records that the references of some of an attempt's snapshots are deleted. */
export async function dropSnapshots(
  trx: WriteTransaction,
  dropped: { readonly attemptId: string; readonly numbers: readonly number[]; readonly at: string },
): Promise<void> {
  if (dropped.numbers.length === 0) return;
  await trx
    .updateTable("snapshots")
    .set({ dropped_at: toTime(dropped.at) })
    .where("attempt_id", "=", dropped.attemptId)
    .where("number", "in", dropped.numbers)
    .execute();
}

const toSnapshot = rowReader<Snapshot>({
  table: "snapshots",
  id: (row) => `${row.attempt_id}/${row.number}`,
  schema: z
    .object({
      attempt_id: z.string(),
      number: z.number().int(),
      run_id: z.string().nullable(),
      ref: z.string(),
      commit_sha: z.string(),
      reason: z.string(),
      not_contained: jsonColumn(z.array(z.string())),
      created_at: timeColumn,
      dropped_at: timeColumn.nullable(),
    })
    .transform((row) => ({
      attemptId: row.attempt_id,
      number: row.number,
      runId: row.run_id,
      ref: row.ref,
      commit: row.commit_sha,
      reason: row.reason,
      notContained: row.not_contained,
      createdAt: row.created_at,
      droppedAt: row.dropped_at,
    })),
});
