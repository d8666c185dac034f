/** Stores which browsers are signed in, by the hashes of their secrets. The database's clock decides until when. */
import { type ExpressionBuilder, sql } from "kysely";
import type { Browser } from "../../domain/access/browser.ts";
import type { KnownPerson } from "../../domain/access/person.ts";
import { databaseTime } from "../schema/database-time.ts";
import type { Database } from "../schema/opened-database.ts";
import { browsers, type Reader, type Schema, type WriteTransaction } from "../schema/schema.ts";
import { OWNER, ownerOf } from "./owner.ts";

/**
 * Forgets those that have expired. Beyond `most` it forgets those that were signed out first, then those that were seen
 * longest ago.
 */
export async function insertBrowser(
  trx: WriteTransaction,
  browser: Pick<Browser, "id" | "hash" | "userAgent" | "personId" | "workerId">,
  { lifeMs, most }: { readonly lifeMs: number; readonly most: number },
): Promise<void> {
  await trx.deleteFrom("browsers").where("expiresAt", "<=", databaseTime(trx)).execute();
  const kept = trx
    .selectFrom("browsers")
    .select("id")
    .orderBy(sql`case when signed_out_at is null then 0 else 1 end`)
    .orderBy("lastSeenAt", "desc")
    .orderBy("id")
    .limit(most - 1);
  await trx.deleteFrom("browsers").where("id", "not in", kept).execute();
  const now = databaseTime(trx);
  const times = { createdAt: now, lastSeenAt: now, expiresAt: databaseTime(trx, lifeMs), signedOutAt: null };
  await trx
    .insertInto("browsers")
    .values({ ...browser, ...times })
    .execute();
}

interface FoundBrowser extends Pick<Browser, "id" | "expiresAt"> {
  readonly seenAgoMs: number;
  /** Whose it is, with the role that they have now; null if it is nobody's in particular. */
  readonly person: KnownPerson | null;
}

/** The one that is signed in by this secret; null if none is. */
export async function findBrowser(db: Reader, hash: string): Promise<FoundBrowser | null> {
  const row = await db
    .selectFrom("browsers")
    .leftJoin("people", "people.id", "browsers.personId")
    .select(["browsers.id", "lastSeenAt", "expiresAt", databaseTime(db).as("now")])
    .select(OWNER)
    .where("hash", "=", hash)
    .where(isSignedIn(db))
    .executeTakeFirst();
  if (row === undefined) return null;
  const { id, expiresAt, now, lastSeenAt } = row;
  return { id, expiresAt, seenAgoMs: Date.parse(now) - Date.parse(lastSeenAt), person: ownerOf(row) };
}

/** Which of them are signed in. */
export async function signedInAmong(db: Reader, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom("browsers")
    .select("id")
    .where("id", "in", ids)
    .where(isSignedIn(db))
    .execute();
  return new Set(rows.map(({ id }) => id));
}

interface ListedBrowser extends Browser {
  /** The worker's name; null if it has none, as on an SQLite. */
  readonly worker: string | null;
  /** The address of the person whose it is; null if it is nobody's in particular. */
  readonly person: string | null;
}

/** Those that are signed in, the newest first. */
export async function listBrowsers(db: Reader): Promise<readonly ListedBrowser[]> {
  const rows = await db
    .selectFrom("browsers")
    .leftJoin("workers", "workers.id", "browsers.workerId")
    .leftJoin("people", "people.id", "browsers.personId")
    .selectAll("browsers")
    .select(["workers.name as worker", "people.email as person"])
    .where(isSignedIn(db))
    .orderBy("browsers.createdAt", "desc")
    .orderBy("browsers.id")
    .execute();
  return rows.map(({ worker, person, ...row }) => ({ ...browsers.read(row), worker, person }));
}

/**
 * One statement outside the queue of writers: it tells nobody anything, and a request does not wait for others. It
 * changes nothing if another request or server has noted it since, or if the browser was signed out.
 */
export async function noteBrowserSeen(
  { writes }: Database,
  { id, everyMs }: { readonly id: string; readonly everyMs: number },
): Promise<void> {
  const db = writes.aside;
  await db
    .updateTable("browsers")
    .set({ lastSeenAt: databaseTime(db) })
    .where("id", "=", id)
    .where("signedOutAt", "is", null)
    .where("lastSeenAt", "<=", databaseTime(db, -everyMs))
    .execute();
}

/** Signs these out. Answers with the ids of those that were signed in until now. */
export async function signOut(trx: WriteTransaction, ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const rows = await trx
    .updateTable("browsers")
    .set({ signedOutAt: databaseTime(trx) })
    .where("id", "in", ids)
    .where(isSignedIn(trx))
    .returning("id")
    .execute();
  return rows.map(({ id }) => id);
}

function isSignedIn(db: Reader) {
  return (eb: ExpressionBuilder<Schema, "browsers">) =>
    eb.and([eb("signedOutAt", "is", null), eb("expiresAt", ">", databaseTime(db))]);
}
