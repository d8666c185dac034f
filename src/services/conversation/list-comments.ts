/** Shows the comments on an attempt's patch. */
import { err, ok, type Result } from "neverthrow";
import type { Comment } from "../../domain/comment/comment.ts";
import { getAttempt } from "../../storage/tables/attempts.ts";
import { commentsOfAttempts } from "../../storage/tables/comments.ts";
import type { Uses } from "../core/context-parts.ts";
import { notFound, type Refusal } from "../core/refusal.ts";

/** The oldest first. */
export async function listComments(
  { db }: Uses<"db">,
  attemptId: string,
): Promise<Result<readonly Comment[], Refusal>> {
  if ((await getAttempt(db.reader, attemptId)) === null) return err(notFound("attempt", attemptId));
  return ok((await commentsOfAttempts(db.reader, [attemptId])).get(attemptId) ?? []);
}
