/** Stores comments on patches: of reviewing agents, and drafts of people. */
import type { Comment } from "../../domain/comment/comment.ts";
import { comments, type Reader } from "../schema/schema.ts";

/** By attempt, the oldest first. */
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
  return Map.groupBy(rows.map(comments.read), ({ attemptId }) => attemptId);
}
