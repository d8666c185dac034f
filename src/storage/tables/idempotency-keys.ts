/** Remembers which creations were requested under which key, so that a repeated request makes one thing. */
import { toTime } from "../schema/column-codecs.ts";
import { idempotencyKeys, type Reader, type WriteTransaction } from "../schema/schema.ts";

/** What is known of a key: nothing, the same request (with its answer, if any), or another one. */
type KeyClaim =
  | { readonly kind: "new" }
  | { readonly kind: "same"; readonly answer: unknown }
  | { readonly kind: "other" };

/** Claims the key for a request, unless it is taken. `answer` is null while the first request has none. */
export async function claimKey(
  trx: WriteTransaction,
  claim: { readonly key: string; readonly bodyHash: string; readonly at: string },
): Promise<KeyClaim> {
  const known = await trx
    .selectFrom("idempotencyKeys")
    .selectAll()
    .where("key", "=", claim.key)
    .executeTakeFirst();
  if (known !== undefined) {
    const { bodyHash, answer } = idempotencyKeys.read(known);
    return bodyHash === claim.bodyHash ? { kind: "same", answer } : { kind: "other" };
  }
  const { key, bodyHash, at } = claim;
  await trx
    .insertInto("idempotencyKeys")
    .values(idempotencyKeys.write({ key, bodyHash, createdAt: at }))
    .execute();
  return { kind: "new" };
}

/**
 * Records what is created under a claimed key, in the transaction that creates it. Throws if something was already
 * created under the key, so that two engines with one request create nothing twice.
 */
export async function recordCreated(
  trx: WriteTransaction,
  created: { readonly key: string; readonly id: string },
): Promise<void> {
  const result = await trx
    .updateTable("idempotencyKeys")
    .set({ createdId: created.id })
    .where("key", "=", created.key)
    .where("createdId", "is", null)
    .executeTakeFirst();
  if (result.numUpdatedRows !== 1n)
    throw new Error(
      `the idempotency key ${created.key} is not claimed, or something was created under it before`,
    );
}

/** The id of what was created under a key; null if nothing was. */
export async function createdUnder(db: Reader, key: string): Promise<string | null> {
  const row = await db
    .selectFrom("idempotencyKeys")
    .select("createdId")
    .where("key", "=", key)
    .executeTakeFirst();
  return row?.createdId ?? null;
}

/** Stores the answer to the first request; any JSON value except null. */
export async function answerKey(
  trx: WriteTransaction,
  answered: { readonly key: string; readonly answer: unknown },
): Promise<void> {
  await trx
    .updateTable("idempotencyKeys")
    .set(idempotencyKeys.write({ answer: answered.answer }))
    .where("key", "=", answered.key)
    .execute();
}

/** Deletes a key whose request failed, so that it may be tried again. */
export async function forgetKey(trx: WriteTransaction, key: string): Promise<void> {
  await trx.deleteFrom("idempotencyKeys").where("key", "=", key).execute();
}

/** Deletes every key that is older than the given UTC ISO time. */
export async function forgetKeysBefore(trx: WriteTransaction, at: string): Promise<void> {
  await trx.deleteFrom("idempotencyKeys").where("createdAt", "<", toTime(at)).execute();
}
