/** Finds the comments that a follow-up sends to its agent, and notes whether they were sent. */
import { err, ok, type Result } from "neverthrow";
import type { Comment, PlacedComment } from "../../domain/comment/comment.ts";
import { stateAfterRemoval } from "../../domain/comment/comment-state.ts";
import type { Run } from "../../domain/run/run.ts";
import type { WriteTransaction } from "../../storage/schema/schema.ts";
import { commentsOfAttempts, getComment, updateComment } from "../../storage/tables/comments.ts";
import { commentsChanged } from "../core/comments-changed.ts";
import type { Uses } from "../core/context-parts.ts";
import { notFound, type Refusal, refuse, refused, shortId } from "../core/refusal.ts";
import { placeComments } from "./place-comments.ts";

/** In the order of the ids; each once, at its place in the patch as it is now. One that was sent before may be sent again. */
export async function commentsToSend(
  engine: Uses<"db" | "git" | "configuration" | "tokens">,
  { attempt, comments }: { readonly attempt: string; readonly comments: readonly string[] },
): Promise<Result<readonly PlacedComment[], Refusal>> {
  const found: Comment[] = [];
  for (const id of new Set(comments)) {
    const comment = await getComment(engine.db.reader, id);
    if (comment === null) return err(notFound("comment", id));
    if (comment.attemptId !== attempt)
      return refused("conflict", "comment_elsewhere", `The comment ${shortId(id)} is on another attempt.`, {
        remedy: `\`tazuna show ${shortId(attempt)}\` lists the comments that can be sent to its agent.`,
        details: { comment: id, attempt: comment.attemptId },
      });
    found.push(comment);
  }
  return ok(await placeComments(engine, attempt, found));
}

/** In the transaction that creates the run, before it: what the run says must be what is stored. Null if it is. */
export async function refuseChanged(
  trx: WriteTransaction,
  comments: readonly PlacedComment[],
): Promise<Refusal | null> {
  for (const { id, body, state } of comments) {
    const now = await getComment(trx, id);
    if (now === null) return notFound("comment", id);
    if (now.body === body && now.state === state) continue;
    const message = `The comment ${shortId(id)} was changed while it was being sent.`;
    return refuse("conflict", "changed_meanwhile", message, {
      remedy: "Read the comments again, then send those that you still want to send.",
      details: { comment: id, attempt: now.attemptId },
    });
  }
  return null;
}

/** In the transaction that creates the run. */
export async function noteSent(
  trx: WriteTransaction,
  { id: runId, createdAt }: Pick<Run, "id" | "createdAt">,
  comments: readonly PlacedComment[],
): Promise<void> {
  for (const { id, path, line, endLine, tree } of comments)
    await updateComment(trx, { id, set: { path, line, endLine, tree, state: "sent", sentWith: runId } });
  await commentsChanged(trx, comments, { at: createdAt, state: "sent" });
}

/** In the transaction that removes the run from the queue: its comments can be sent again. */
export async function noteNotSent(
  trx: WriteTransaction,
  run: Pick<Run, "id" | "attemptId">,
  at: string,
): Promise<void> {
  const all = (await commentsOfAttempts(trx, [run.attemptId])).get(run.attemptId) ?? [];
  const own = all.filter(({ sentWith }) => sentWith === run.id);
  for (const [state, comments] of Map.groupBy(own, stateAfterRemoval)) {
    for (const { id } of comments) await updateComment(trx, { id, set: { state, sentWith: null } });
    await commentsChanged(trx, comments, { at, state });
  }
}
