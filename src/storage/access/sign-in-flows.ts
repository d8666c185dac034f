/** Stores which entries through an identity provider have begun, so that each server of a database can finish them. */
import { databaseTime } from "../schema/database-time.ts";
import type { Database } from "../schema/opened-database.ts";
import type { Reader, WriteTransaction } from "../schema/schema.ts";

/** Forgets those that have expired, and the oldest ones beyond `most`. */
export async function insertSignInFlow(
  trx: WriteTransaction,
  flow: { readonly hash: string; readonly returnTo: string },
  { lifeMs, most }: { readonly lifeMs: number; readonly most: number },
): Promise<void> {
  await trx.deleteFrom("signInFlows").where("expiresAt", "<=", databaseTime(trx)).execute();
  const newest = trx
    .selectFrom("signInFlows")
    .select("hash")
    .orderBy("expiresAt", "desc")
    .orderBy("hash")
    .limit(most - 1);
  await trx.deleteFrom("signInFlows").where("hash", "not in", newest).execute();
  await trx
    .insertInto("signInFlows")
    .values({ ...flow, expiresAt: databaseTime(trx, lifeMs) })
    .execute();
}

/** Also if it has expired. */
export async function knowsSignInFlow(db: Reader, hash: string): Promise<boolean> {
  const row = await db.selectFrom("signInFlows").select("hash").where("hash", "=", hash).executeTakeFirst();
  return row !== undefined;
}

/** Uses it up. Null if there is none, or if it has expired. */
export async function takeSignInFlow(
  trx: WriteTransaction,
  hash: string,
): Promise<{ readonly returnTo: string } | null> {
  const row = await trx
    .deleteFrom("signInFlows")
    .where("hash", "=", hash)
    .returning(["returnTo", "expiresAt", databaseTime(trx).as("now")])
    .executeTakeFirst();
  return row !== undefined && row.now < row.expiresAt ? { returnTo: row.returnTo } : null;
}

/** Deletes those that have expired. One statement outside the queue of writers, since it tells no fact. */
export async function forgetSignInFlows({ writes }: Database): Promise<void> {
  await writes.aside.deleteFrom("signInFlows").where("expiresAt", "<=", databaseTime(writes.aside)).execute();
}
