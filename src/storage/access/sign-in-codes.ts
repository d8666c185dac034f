/** Stores the hashes of sign-in codes. So a link outlives a restart, and each server of a database knows it. */
import type { ExpressionBuilder } from "kysely";
import type { SignInCode } from "../../domain/access/sign-in-code.ts";
import { databaseTime } from "../schema/database-time.ts";
import type { Reader, Schema, WriteTransaction } from "../schema/schema.ts";

/** They work for so long, by the database's clock. Forgets those that have expired, and the oldest ones beyond `most`. */
export async function insertSignInCode(
  trx: WriteTransaction,
  code: Pick<SignInCode, "linked" | "typed" | "personId">,
  { lifeMs, most }: { readonly lifeMs: number; readonly most: number },
): Promise<void> {
  await trx.deleteFrom("signInCodes").where("expiresAt", "<=", databaseTime(trx)).execute();
  const newest = trx
    .selectFrom("signInCodes")
    .select("linked")
    .orderBy("expiresAt", "desc")
    .orderBy("linked")
    .limit(most - 1);
  await trx.deleteFrom("signInCodes").where("linked", "not in", newest).execute();
  await trx
    .insertInto("signInCodes")
    .values({ ...code, expiresAt: databaseTime(trx, lifeMs) })
    .execute();
}

/** Also if they have expired. */
export async function knowsSignInCode(db: Reader, hash: string): Promise<boolean> {
  const row = await db.selectFrom("signInCodes").select("linked").where(hasHash(hash)).executeTakeFirst();
  return row !== undefined;
}

/** Uses up the codes one of which has this hash. Null if there are none, or if they have expired. */
export async function takeSignInCode(
  trx: WriteTransaction,
  hash: string,
): Promise<Pick<SignInCode, "personId"> | null> {
  const row = await trx
    .deleteFrom("signInCodes")
    .where(hasHash(hash))
    .returning(["personId", "expiresAt", databaseTime(trx).as("now")])
    .executeTakeFirst();
  return row !== undefined && row.now < row.expiresAt ? { personId: row.personId } : null;
}

function hasHash(hash: string) {
  return (eb: ExpressionBuilder<Schema, "signInCodes">) =>
    eb.or([eb("linked", "=", hash), eb("typed", "=", hash)]);
}
