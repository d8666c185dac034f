/** Announces what changed of an attempt: its state, clean-up, merge or patch, or comments on the patch. */
import type { Actor } from "../../domain/actor.ts";
import type { Attempt, AttemptPatch, Merged } from "../../domain/attempt/attempt.ts";
import type { Comment } from "../../domain/comment/comment.ts";
import type { WriteTransaction } from "../../storage/schema/schema.ts";
import { getAttempt } from "../../storage/tables/attempts.ts";
import { appendFact } from "../../storage/tables/facts.ts";

/** In the transaction that changes it. */
export async function attemptChanged(
  trx: WriteTransaction,
  { id, taskId }: Attempt,
  change: {
    readonly at: string;
    readonly state: Attempt["state"];
    readonly clean_up?: string | null;
    readonly merged?: Pick<Merged, "target" | "commit" | "by"> | null;
    /** Whether the depot lacks its last edits. */
    readonly unprotected?: boolean;
    /** What became of the edits that a worker still had when it came back, and who asked for it. */
    readonly came_back?: { readonly worker: string; readonly state: string; readonly actor: Actor | null };
  },
): Promise<void> {
  const { at, ...data } = change;
  await appendFact(trx, { at, kind: "attempt.changed", taskId, attemptId: id, runId: null, data });
}

/** Its patch was counted anew; null: it could not be counted. In the transaction that stores it. */
export async function patchChanged(
  trx: WriteTransaction,
  { id, taskId, state }: Attempt,
  { patch, at }: { readonly patch: AttemptPatch | null; readonly at: string },
): Promise<void> {
  const changes = patch && { files: patch.files, additions: patch.additions, deletions: patch.deletions };
  const data = { state, changes };
  await appendFact(trx, { at, kind: "attempt.changed", taskId, attemptId: id, runId: null, data });
}

/** Comments were made, changed, sent, closed or deleted. In the transaction that does it. All are of one attempt; no fact if there are none. */
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
