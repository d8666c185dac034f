/** Stores the snapshots of worktrees: commits under private refs, made before any action that could lose work. */
import type { Snapshot } from "../../domain/attempt/snapshot.ts";
import { toTime } from "../schema/column-codecs.ts";
import { type Reader, snapshots, type WriteTransaction } from "../schema/schema.ts";

/** Throws if the attempt has a snapshot of that number. */
export async function insertSnapshot(trx: WriteTransaction, snapshot: Snapshot): Promise<void> {
  await trx.insertInto("snapshots").values(snapshots.write(snapshot)).execute();
}

/** By number, even those whose reference was deleted. */
export async function snapshotsOfAttempt(db: Reader, attemptId: string): Promise<Snapshot[]> {
  const rows = await db
    .selectFrom("snapshots")
    .selectAll()
    .where("attemptId", "=", attemptId)
    .orderBy("number")
    .execute();
  return rows.map(snapshots.read);
}

/** Records that the references of some of an attempt's snapshots are deleted. */
export async function dropSnapshots(
  trx: WriteTransaction,
  dropped: { readonly attemptId: string; readonly numbers: readonly number[]; readonly at: string },
): Promise<void> {
  if (dropped.numbers.length === 0) return;
  await trx
    .updateTable("snapshots")
    .set({ droppedAt: toTime(dropped.at) })
    .where("attemptId", "=", dropped.attemptId)
    .where("number", "in", dropped.numbers)
    .execute();
}
