/** Stores the hashes of sign-in codes. So a link outlives a restart, and each server of a database knows it. */
import type { ExpressionBuilder } from "kysely";
import type { SignInCode } from "../../domain/access/sign-in-code.ts";
import { type Reader, type Schema, signInCodes, type WriteTransaction } from "../schema/schema.ts";

/** Forgets those that have expired before `now`, and the oldest ones beyond `most`. */
export async function insertSignInCode(
  trx: WriteTransaction,
  code: SignInCode,
  { now, most }: { readonly now: string; readonly most: number },
): Promise<void> {
  await trx.deleteFrom("signInCodes").where("expiresAt", "<", now).execute();
  const newest = trx
    .selectFrom("signInCodes")
    .select("linked")
    .orderBy("expiresAt", "desc")
    .orderBy("linked")
    .limit(most - 1);
  await trx.deleteFrom("signInCodes").where("linked", "not in", newest).execute();
  await trx.insertInto("signInCodes").values(signInCodes.write(code)).execute();
}

/** Also if they have expired. */
export async function knowsSignInCode(db: Reader, hash: string): Promise<boolean> {
  const row = await db.selectFrom("signInCodes").select("linked").where(hasHash(hash)).executeTakeFirst();
  return row !== undefined;
}

/** Uses up the codes one of which has this hash. False if there are none, or if they have expired. */
export async function takeSignInCode(
  trx: WriteTransaction,
  { hash, now }: { readonly hash: string; readonly now: string },
): Promise<boolean> {
  const row = await trx
    .deleteFrom("signInCodes")
    .where(hasHash(hash))
    .returning("expiresAt")
    .executeTakeFirst();
  return row !== undefined && row.expiresAt >= now;
}

function hasHash(hash: string) {
  return (eb: ExpressionBuilder<Schema, "signInCodes">) =>
    eb.or([eb("linked", "=", hash), eb("typed", "=", hash)]);
}
