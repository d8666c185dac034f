/** Announces that comments on a patch were made, changed, sent, closed or deleted. */
import type { Comment } from "../../domain/comment/comment.ts";
import type { WriteTransaction } from "../../storage/schema/schema.ts";
import { getAttempt } from "../../storage/tables/attempts.ts";
import { appendFact } from "../../storage/tables/facts.ts";

/** In the transaction that changes them. All are of one attempt; no fact if there are none. */
export async function commentsChanged(
  trx: WriteTransaction,
  comments: readonly Pick<Comment, "id" | "attemptId">[],
  { at, state }: { readonly at: string; readonly state: Comment["state"] | "deleted" },
): Promise<void> {
  const [first] = comments;
  if (first === undefined) return;
  const taskId = (await getAttempt(trx, first.attemptId))?.taskId ?? null;
  const data = { comments: comments.map(({ id }) => id), state };
  await appendFact(trx, {
    at,
    kind: "comment.changed",
    taskId,
    attemptId: first.attemptId,
    runId: null,
    data,
  });
}
