/** Keeps a person's comments on a patch as drafts: makes, changes and deletes them, and closes threads. */
import { err, ok, type Result, safeTry } from "neverthrow";
import { createRedactor } from "../../domain/agent/redact.ts";
import type { Comment } from "../../domain/comment/comment.ts";
import { isOwnDraft, stateAfter } from "../../domain/comment/comment-state.ts";
import { blobOf, changeAt } from "../../domain/comment/follow-file.ts";
import { quotedAt } from "../../domain/comment/place-comment.ts";
import { deleteComment, getComment, insertComments, updateComment } from "../../storage/tables/comments.ts";
import { recordCreated } from "../../storage/tables/idempotency-keys.ts";
import { transact } from "../../storage/transact.ts";
import { commentsChanged } from "../core/attempt-changed.ts";
import type { Uses } from "../core/context-parts.ts";
import { notFound, type Refusal, refuse, shortId } from "../core/refusal.ts";
import type { CommentChange, NewComment } from "../core/request-shapes.ts";
import { sidesOf } from "../diffs/compared-sides.ts";
import { unchanged } from "../diffs/show-diff.ts";
import { changesBetween, linesOfBlobs } from "./place-comments.ts";

type DraftContext = Uses<"db" | "clock" | "newFacts">;

/** The id of the new draft. */
export async function addComment(
  engine: DraftContext & Uses<"git" | "configuration" | "newId" | "tokens" | "actor">,
  input: NewComment,
  key: string | null,
): Promise<Result<string, Refusal>> {
  return safeTry(async function* () {
    const place = yield* await placeOfNew(engine, input);
    const { attempt: attemptId, side } = input;
    const redact = createRedactor({ values: engine.tokens }).text;
    const at = engine.clock.iso();
    const comment: Comment = {
      ...place,
      quoted: place.quoted && redact(place.quoted),
      id: engine.newId(),
      attemptId,
      runId: null,
      authorKind: "person",
      author: null,
      actor: engine.actor,
      side,
      severity: null,
      body: redact(input.body),
      state: "draft",
      sentWith: null,
      at,
    };
    await transact(engine.db, async (trx) => {
      await insertComments(trx, [comment]);
      if (key !== null) await recordCreated(trx, { key, id: comment.id });
      await commentsChanged(trx, [comment], { at, state: "draft" });
    });
    engine.newFacts.notify();
    return ok(comment.id);
  });
}

type NewPlace = Pick<Comment, "path" | "line" | "endLine" | "quoted" | "tree">;

/** The file must be in the patch; the lines may be any of the file on that side. */
async function placeOfNew(
  engine: Uses<"db" | "git" | "configuration">,
  { attempt, path, line, endLine, side }: NewComment,
): Promise<Result<NewPlace, Refusal>> {
  return safeTry(async function* () {
    const { context, target, from, to } = yield* await sidesOf(engine, attempt);
    if (from === null || to === null) return err(unchanged(path));
    const patch = (await changesBetween(context, target, { from, to })) ?? [];
    const change = changeAt(path, patch);
    if (change === null) return err(unchanged(path));
    const place = { path: change.path, line, endLine, quoted: null, tree: to };
    if (line === null) return ok(place);
    const sha = blobOf(change, side);
    const lines = sha === null ? [] : ((await linesOfBlobs(context, target, [sha])).get(sha) ?? []);
    const quoted = quotedAt(lines, { line, endLine: endLine ?? line });
    return quoted === null ? err(outOfRange(path, { side, lines: lines.length })) : ok({ ...place, quoted });
  });
}

function outOfRange(
  path: string,
  { side, lines }: { readonly side: Comment["side"]; readonly lines: number },
): Refusal {
  const when = side === "old" ? "before the change" : "now";
  const message = `${path} has no such lines ${when}: it has ${lines === 0 ? "no text" : lines} there.`;
  return refuse("bad_request", "line_out_of_range", message, {
    remedy: "Name lines of the file on that side, or leave out `line` to comment on the whole file.",
    details: { path, side, lines },
  });
}

/** Other words, for a draft; or closes a thread, or opens it again. */
export async function changeComment(
  engine: DraftContext & Uses<"tokens">,
  { id, body, resolved }: CommentChange,
): Promise<Result<void, Refusal>> {
  const at = engine.clock.iso();
  const redact = createRedactor({ values: engine.tokens }).text;
  const changed = await transact(engine.db, async (trx) => {
    const comment = await getComment(trx, id);
    if (comment === null) return err(notFound("comment", id));
    if (body !== null && !isOwnDraft(comment)) return err(fixed(comment));
    const state = resolved === null ? comment.state : stateAfter(comment, resolved);
    await updateComment(trx, { id, set: { state, ...(body === null ? {} : { body: redact(body) }) } });
    await commentsChanged(trx, [comment], { at, state });
    return ok(undefined);
  });
  if (changed.isOk()) engine.newFacts.notify();
  return changed;
}

/** Answers with what it was. */
export async function removeComment(engine: DraftContext, id: string): Promise<Result<Comment, Refusal>> {
  const at = engine.clock.iso();
  const removed = await transact(engine.db, async (trx) => {
    const comment = await getComment(trx, id);
    if (comment === null) return err(notFound("comment", id));
    if (!isOwnDraft(comment)) return err(fixed(comment));
    await deleteComment(trx, id);
    await commentsChanged(trx, [comment], { at, state: "deleted" });
    return ok(comment);
  });
  if (removed.isOk()) engine.newFacts.notify();
  return removed;
}

function fixed({ id, authorKind, sentWith, attemptId }: Comment): Refusal {
  const why = authorKind === "agent" ? "is an agent's" : sentWith === null ? "is resolved" : "was sent";
  return refuse(
    "conflict",
    "comment_fixed",
    `The comment ${shortId(id)} ${why}: its words stay as they are.`,
    {
      remedy: 'Close it with `{ "resolved": true }`, or say more in a comment of its own.',
      details: { comment: id, attempt: attemptId },
    },
  );
}
