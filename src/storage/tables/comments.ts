/** Stores comments on patches: of reviewing agents, and drafts of people. */
import type { Comment } from "../../domain/comment/comment.ts";
import { comments, type Reader, type WriteTransaction } from "../schema/schema.ts";

export async function insertComments(trx: WriteTransaction, made: readonly Comment[]): Promise<void> {
  for (const comment of made) await trx.insertInto("comments").values(comments.write(comment)).execute();
}

export async function getComment(db: Reader, id: string): Promise<Comment | null> {
  const row = await db.selectFrom("comments").selectAll().where("id", "=", id).executeTakeFirst();
  return row === undefined ? null : comments.read(row);
}

/** By attempt: the oldest first, those of one time by their place. */
export async function commentsOfAttempts(
  db: Reader,
  attemptIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Comment[]>> {
  if (attemptIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("comments")
    .selectAll()
    .where("attemptId", "in", attemptIds)
    .orderBy("at")
    .orderBy("id")
    .execute();
  return Map.groupBy(rows.map(comments.read).sort(byPlace), ({ attemptId }) => attemptId);
}

/** Databases sort texts and nulls differently. */
function byPlace(one: Comment, other: Comment): number {
  if (one.at !== other.at) return one.at < other.at ? -1 : 1;
  if (one.path !== other.path) return one.path < other.path ? -1 : 1;
  return (one.line ?? 0) - (other.line ?? 0);
}

/** Changes words, place or state; absent keys stay as they are. */
export async function updateComment(
  trx: WriteTransaction,
  change: {
    readonly id: string;
    readonly set: Partial<
      Pick<Comment, "path" | "line" | "endLine" | "tree" | "body" | "state" | "sentWith">
    >;
  },
): Promise<void> {
  await trx.updateTable("comments").set(comments.write(change.set)).where("id", "=", change.id).execute();
}

export async function deleteComment(trx: WriteTransaction, id: string): Promise<void> {
  await trx.deleteFrom("comments").where("id", "=", id).execute();
}
