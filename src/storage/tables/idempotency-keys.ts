/** Remembers which creations were requested under which key, so that a repeated request makes one thing. */
import { z } from "zod";
import { jsonColumn, rowReader, toTime } from "../schema/row.ts";
import type { Reader, WriteTransaction } from "../schema/schema.ts";

/** What is known of a key: nothing so far, the same request (with its answer, if there is one), or another one. */
export type KeyClaim =
  | { readonly kind: "new" }
  | { readonly kind: "same"; readonly answer: unknown }
  | { readonly kind: "other" };

/** Claims the key for a request, unless it is taken. `answer` is null while the first request has none. */
export async function claimKey(
  trx: WriteTransaction,
  claim: { readonly key: string; readonly bodyHash: string; readonly at: string },
): Promise<KeyClaim> {
  const known = await trx
    .selectFrom("idempotency_keys")
    .selectAll()
    .where("key", "=", claim.key)
    .executeTakeFirst();
  if (known !== undefined) {
    const { bodyHash, answer } = toKey(known);
    return bodyHash === claim.bodyHash ? { kind: "same", answer } : { kind: "other" };
  }
  await trx
    .insertInto("idempotency_keys")
    .values({
      key: claim.key,
      body_hash: claim.bodyHash,
      answer: null,
      created_id: null,
      created_at: toTime(claim.at),
    })
    .execute();
  return { kind: "new" };
}

/**
 * Records what is created under a claimed key, in the transaction that creates it. Throws if something was already
 * created under the key, so that nothing is created twice: two engines carry out one request.
 */
export async function recordCreated(
  trx: WriteTransaction,
  created: { readonly key: string; readonly id: string },
): Promise<void> {
  const result = await trx
    .updateTable("idempotency_keys")
    .set({ created_id: created.id })
    .where("key", "=", created.key)
    .where("created_id", "is", null)
    .executeTakeFirst();
  if (result.numUpdatedRows !== 1n)
    throw new Error(
      `the idempotency key ${created.key} is not claimed, or something was created under it before`,
    );
}

/** The id of what was created under a key; null if nothing was. */
export async function createdUnder(db: Reader, key: string): Promise<string | null> {
  const row = await db
    .selectFrom("idempotency_keys")
    .select("created_id")
    .where("key", "=", key)
    .executeTakeFirst();
  return row?.created_id ?? null;
}

/** Stores the answer to the first request; any JSON value except null. */
export async function answerKey(
  trx: WriteTransaction,
  answered: { readonly key: string; readonly answer: unknown },
): Promise<void> {
  await trx
    .updateTable("idempotency_keys")
    .set({ answer: JSON.stringify(answered.answer) })
    .where("key", "=", answered.key)
    .execute();
}

/** Deletes a key whose request failed, so that it may be tried again. */
export async function forgetKey(trx: WriteTransaction, key: string): Promise<void> {
  await trx.deleteFrom("idempotency_keys").where("key", "=", key).execute();
}

/** Deletes every key that is older than the given UTC ISO time. */
export async function forgetKeysBefore(trx: WriteTransaction, at: string): Promise<void> {
  await trx.deleteFrom("idempotency_keys").where("created_at", "<", toTime(at)).execute();
}

const toKey = rowReader<{ readonly bodyHash: string; readonly answer: unknown }>({
  table: "idempotency_keys",
  id: (row) => String(row.key),
  schema: z
    .object({ body_hash: z.string(), answer: jsonColumn(z.unknown()).nullable() })
    .transform(({ body_hash, answer }) => ({ bodyHash: body_hash, answer })),
});
