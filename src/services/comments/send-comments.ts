/** Finds the comments that a follow-up sends to its agent, and notes whether they were sent. */
import { err, ok, type Result } from "neverthrow";
import {
  type Comment,
  type PlacedComment,
  type SentBefore,
  sentBeforeSchema,
} from "../../domain/comment/comment.ts";
import { stateAfterRemoval } from "../../domain/comment/comment-state.ts";
import { wasRemoved } from "../../domain/run/queue.ts";
import type { Run } from "../../domain/run/run.ts";
import type { WriteTransaction } from "../../storage/schema/schema.ts";
import { commentsOfAttempts, getComment, updateComment } from "../../storage/tables/comments.ts";
import { updateRun } from "../../storage/tables/run-moves.ts";
import { runsOfAttempt } from "../../storage/tables/runs.ts";
import { commentsChanged } from "../core/attempt-changed.ts";
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
  { id: runId, createdAt, options }: Pick<Run, "id" | "createdAt" | "options">,
  comments: readonly PlacedComment[],
): Promise<void> {
  const before: SentBefore[] = [];
  for (const { id, path, line, endLine, tree } of comments) {
    const now = await getComment(trx, id);
    if (now !== null && now.sentWith !== null) before.push(sentBeforeSchema.parse(now));
    await updateComment(trx, { id, set: { path, line, endLine, tree, state: "sent", sentWith: runId } });
  }
  if (before.length > 0) {
    const set = { options: { ...options, sentBefore: before } };
    await updateRun(trx, { id: runId, expect: { epoch: null }, set });
  }
  await commentsChanged(trx, comments, { at: createdAt, state: "sent" });
}

/** In the transaction that removes the run from the queue: its comments stand as before they were sent with it. */
export async function noteNotSent(
  trx: WriteTransaction,
  run: Pick<Run, "id" | "attemptId">,
  at: string,
): Promise<void> {
  const all = (await commentsOfAttempts(trx, [run.attemptId])).get(run.attemptId) ?? [];
  const own = all.filter(({ sentWith }) => sentWith === run.id);
  const runs = new Map((await runsOfAttempt(trx, run.attemptId)).map((each) => [each.id, each]));
  const stood = own.map((comment) => {
    const { sentWith, ...place } = standingBefore(comment, runs);
    return { ...comment, ...place, sentWith, state: stateAfterRemoval(comment, sentWith) };
  });
  for (const { id, path, line, endLine, tree, state, sentWith } of stood)
    await updateComment(trx, { id, set: { path, line, endLine, tree, state, sentWith } });
  for (const [state, comments] of Map.groupBy(stood, (comment) => comment.state))
    await commentsChanged(trx, comments, { at, state });
}

/** A run before that was removed from the queue, too, did not get it either. */
function standingBefore(comment: Comment, runs: ReadonlyMap<string, Run>): SentBefore {
  let stood: SentBefore = comment;
  for (let run = runs.get(stood.sentWith ?? ""); run !== undefined && wasRemoved(run); ) {
    const earlier = run.options.sentBefore?.find(({ id }) => id === comment.id);
    stood = earlier ?? { ...stood, sentWith: null };
    run = runs.get(stood.sentWith ?? "");
  }
  return stood;
}
