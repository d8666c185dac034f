/** Shows the comments on an attempt's patch, each at its place in the patch as it is now. */
import { err, ok, type Result } from "neverthrow";
import type { PlacedComment } from "../../domain/comment/comment.ts";
import { getAttempt } from "../../storage/tables/attempts.ts";
import { commentsOfAttempts, getComment } from "../../storage/tables/comments.ts";
import type { Uses } from "../core/context-parts.ts";
import { notFound, type Refusal } from "../core/refusal.ts";
import { type KnownAddressed, withAddressed } from "./addressed.ts";
import { placeComments } from "./place-comments.ts";

type ListContext = Uses<"db" | "git" | "configuration" | "tokens">;

/** The oldest first. */
export async function listComments(
  engine: ListContext,
  attemptId: string,
  known: KnownAddressed,
): Promise<Result<readonly PlacedComment[], Refusal>> {
  const { reader } = engine.db;
  if ((await getAttempt(reader, attemptId)) === null) return err(notFound("attempt", attemptId));
  const stored = (await commentsOfAttempts(reader, [attemptId])).get(attemptId) ?? [];
  const placed = await placeComments(engine, attemptId, stored);
  return ok(await withAddressed(engine, placed, { known, stored }));
}

/** One of them. */
export async function showComment(
  engine: ListContext,
  id: string,
  known: KnownAddressed,
): Promise<Result<PlacedComment, Refusal>> {
  const stored = await getComment(engine.db.reader, id);
  if (stored === null) return err(notFound("comment", id));
  const placed = await placeComments(engine, stored.attemptId, [stored]);
  const [shown] = await withAddressed(engine, placed, { known, stored: [stored] });
  return shown === undefined ? err(notFound("comment", id)) : ok(shown);
}
