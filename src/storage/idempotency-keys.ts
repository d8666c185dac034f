/** Remembers which creations were asked for under which key, so that asking twice makes one thing. */
import { z } from "zod";
import { jsonColumn, rowReader, toTime } from "./row.ts";
import type { Reader, WriteTransaction } from "./schema.ts";

/** What is known of a key: nothing until now, the same request (with its answer, once there is one), or another one. */
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
 * Writes down what is created under a claimed key, in the transaction that creates it. Throws, so that nothing is
 * created, where something was created under the key before: two engines that carry out one request.
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

/** The id of what was created under a key; null where nothing was. */
export async function createdUnder(db: Reader, key: string): Promise<string | null> {
  const row = await db
    .selectFrom("idempotency_keys")
    .select("created_id")
    .where("key", "=", key)
    .executeTakeFirst();
  return row?.created_id ?? null;
}

/** Stores what the first request was answered; any JSON value but null. */
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

/** Forgets a key whose request failed, so that it may be tried again. */
export async function forgetKey(trx: WriteTransaction, key: string): Promise<void> {
  await trx.deleteFrom("idempotency_keys").where("key", "=", key).execute();
}

/** Forgets every key that is older than the given UTC ISO time. */
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
