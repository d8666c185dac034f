/** Finds the comments that a follow-up sends to its agent, and notes that they were sent, or were not after all. */
import { err, ok, type Result } from "neverthrow";
import type { Comment } from "../../domain/comment/comment.ts";
import type { Run } from "../../domain/run/run.ts";
import type { WriteTransaction } from "../../storage/schema/schema.ts";
import { commentsOfAttempts, getComment, updateComment } from "../../storage/tables/comments.ts";
import type { Uses } from "../core/context-parts.ts";
import { notFound, type Refusal, refused, shortId } from "../core/refusal.ts";

/** In the order of the ids; each once. One that was sent before may be sent again. */
export async function commentsToSend(
  { db }: Uses<"db">,
  { attempt, comments }: { readonly attempt: string; readonly comments: readonly string[] },
): Promise<Result<readonly Comment[], Refusal>> {
  const found: Comment[] = [];
  for (const id of new Set(comments)) {
    const comment = await getComment(db.reader, id);
    if (comment === null) return err(notFound("comment", id));
    if (comment.attemptId !== attempt)
      return refused("conflict", "comment_elsewhere", `The comment ${shortId(id)} is on another attempt.`, {
        remedy: `\`tazuna show ${shortId(attempt)}\` lists the comments that can be sent to its agent.`,
        details: { comment: id, attempt: comment.attemptId },
      });
    found.push(comment);
  }
  return ok(found);
}

/** In the transaction that creates the run. */
export async function noteSent(
  trx: WriteTransaction,
  runId: string,
  comments: readonly Comment[],
): Promise<void> {
  for (const { id } of comments) await updateComment(trx, { id, set: { state: "sent", sentWith: runId } });
}

/** In the transaction that removes the run from the queue: its comments can be sent again. */
export async function noteNotSent(trx: WriteTransaction, run: Pick<Run, "id" | "attemptId">): Promise<void> {
  const comments = (await commentsOfAttempts(trx, [run.attemptId])).get(run.attemptId) ?? [];
  for (const { id, authorKind } of comments.filter(({ sentWith }) => sentWith === run.id))
    await updateComment(trx, {
      id,
      set: { state: authorKind === "person" ? "draft" : "open", sentWith: null },
    });
}
