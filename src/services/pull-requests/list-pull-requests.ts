/** Reads the pull requests that are followed. */
import { err, ok, type Result } from "neverthrow";
import type { Tracked } from "../../domain/pull-request/tracked.ts";
import { readCursor, writeCursor } from "../../storage/schema/cursor.ts";
import { getPullRequest, pagePullRequests, pullRequestOf } from "../../storage/tables/pull-requests.ts";
import type { ListPage } from "../core/answer-shapes.ts";
import type { Uses } from "../core/context-parts.ts";
import { BAD_CURSOR, notFound, type Refusal } from "../core/refusal.ts";
import type { PageQuery } from "../core/request-shapes.ts";
import { findId } from "../queries/task-detail.ts";

/** Newest first. */
export async function listPullRequests(
  { db }: Uses<"db">,
  query: PageQuery,
): Promise<Result<ListPage<Tracked>, Refusal>> {
  const cursor = query.cursor === null ? null : readCursor(query.cursor);
  if (query.cursor !== null && cursor === null) return err(BAD_CURSOR);
  const page = await pagePullRequests(db.reader, { ...query, cursor });
  return ok({ items: page.items, next: page.next && writeCursor(page.next) });
}

/** By its own id, or by that of its attempt. */
export async function findPullRequest(context: Uses<"db">, id: string): Promise<Result<Tracked, Refusal>> {
  const { reader } = context.db;
  const own = await getPullRequest(reader, id);
  if (own !== null) return ok(own);
  const found = await findId(context, id);
  if (found.isErr()) return err(found.error);
  const { attemptId } = found.value;
  const tracked = attemptId === null ? null : await pullRequestOf(reader, attemptId);
  return tracked === null ? err(notFound("pull request", id)) : ok(tracked);
}
