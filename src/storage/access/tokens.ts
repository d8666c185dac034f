/** Stores access tokens by their hashes. */
import type { KnownPerson } from "../../domain/access/person.ts";
import type { AccessToken } from "../../domain/access/token.ts";
import type { Database } from "../schema/opened-database.ts";
import { accessTokens, type Reader, type WriteTransaction } from "../schema/schema.ts";
import { OWNER, ownerOf } from "./owner.ts";

/** `taken` if another token has its name: then nothing is written. */
export async function insertAccessToken(
  trx: WriteTransaction,
  token: AccessToken,
): Promise<"inserted" | "taken"> {
  const result = await trx
    .insertInto("accessTokens")
    .values(accessTokens.write(token))
    .onConflict((conflict) => conflict.column("name").doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n ? "inserted" : "taken";
}

/** The oldest first; also those that have expired. */
export async function listAccessTokens(db: Reader): Promise<readonly AccessToken[]> {
  const rows = await db.selectFrom("accessTokens").selectAll().orderBy("createdAt").orderBy("id").execute();
  return rows.map(accessTokens.read);
}

/** Also if it has expired; null if there is none. With its owner, who has the role that they have now. */
export async function findAccessToken(
  db: Reader,
  hash: string,
): Promise<(AccessToken & { readonly person: KnownPerson | null }) | null> {
  const row = await db
    .selectFrom("accessTokens")
    .leftJoin("people", "people.id", "accessTokens.personId")
    .selectAll("accessTokens")
    .select(OWNER)
    .where("accessTokens.hash", "=", hash)
    .executeTakeFirst();
  return row === undefined ? null : { ...accessTokens.read(row), person: ownerOf(row) };
}

/** One statement outside the queue of writers: it tells nobody anything, and a request does not wait for others. */
export async function noteTokenUse(
  { writes }: Database,
  { id, at }: { readonly id: string; readonly at: string },
): Promise<void> {
  await writes.aside
    .updateTable("accessTokens")
    .set(accessTokens.write({ usedAt: at }))
    .where("id", "=", id)
    .execute();
}

/** The token as it was; null if it is not there. */
export async function deleteAccessToken(trx: WriteTransaction, id: string): Promise<AccessToken | null> {
  const row = await trx.deleteFrom("accessTokens").where("id", "=", id).returningAll().executeTakeFirst();
  return row === undefined ? null : accessTokens.read(row);
}
