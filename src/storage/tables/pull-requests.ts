/** Stores the pull requests of attempts: at most one for each, the one that is followed. */
import type { Tracked } from "../../domain/pull-request/tracked.ts";
import { type Page, type PageQuery, pageOf, pageRows } from "../schema/cursor.ts";
import { pullRequests, type Reader, type WriteTransaction } from "../schema/schema.ts";

/** Stores it, and replaces what was stored for its attempt. */
export async function savePullRequest(trx: WriteTransaction, tracked: Tracked): Promise<void> {
  const row = pullRequests.write(tracked);
  await trx
    .insertInto("pullRequests")
    .values(row)
    .onConflict((conflict) => conflict.column("attemptId").doUpdateSet(row))
    .execute();
}

export async function pullRequestOf(db: Reader, attemptId: string): Promise<Tracked | null> {
  return (await pullRequestsOf(db, [attemptId])).get(attemptId) ?? null;
}

/** By attempt. */
export async function pullRequestsOf(
  db: Reader,
  attemptIds: readonly string[],
): Promise<ReadonlyMap<string, Tracked>> {
  if (attemptIds.length === 0) return new Map();
  const rows = await db.selectFrom("pullRequests").selectAll().where("attemptId", "in", attemptIds).execute();
  return new Map(rows.map(pullRequests.read).map((tracked) => [tracked.attemptId, tracked]));
}

export async function getPullRequest(db: Reader, id: string): Promise<Tracked | null> {
  const row = await db.selectFrom("pullRequests").selectAll().where("id", "=", id).executeTakeFirst();
  return row === undefined ? null : pullRequests.read(row);
}

/** Those whose forge is to be asked again, the next one first. */
export async function watchedPullRequests(db: Reader): Promise<Tracked[]> {
  const rows = await db
    .selectFrom("pullRequests")
    .selectAll()
    .where("lookAt", "is not", null)
    .orderBy("lookAt")
    .execute();
  return rows.map(pullRequests.read);
}

/** Newest first. */
export async function pagePullRequests(db: Reader, query: PageQuery): Promise<Page<Tracked>> {
  const rows = await pageRows(db.selectFrom("pullRequests").selectAll(), query, "createdAt").execute();
  return pageOf(rows.map(pullRequests.read), query, "createdAt");
}

/** Those of the commits that a pull request has as its head: forges keep these, also without the branch. */
export async function pullRequestHeads(db: Reader, commits: readonly string[]): Promise<readonly string[]> {
  if (commits.length === 0) return [];
  const rows = await db
    .selectFrom("pullRequests")
    .select("headSha")
    .where("headSha", "in", commits)
    .where("number", "is not", null)
    .execute();
  return rows.flatMap(({ headSha }) => headSha ?? []);
}
