/** Keeps idempotency keys in the database, for a day. */
import type { IdempotencyStore } from "../api/api-options.ts";
import type { Database } from "../storage/database.ts";
import { answerKey, claimKey, forgetKey, forgetKeysBefore } from "../storage/idempotency-keys.ts";
import { transact } from "../storage/transact.ts";
import type { Clock } from "../utils/clock.ts";

const KEPT_MS = 24 * 3_600_000;

export function createIdempotencyStore(db: Database, clock: Clock): IdempotencyStore {
  return {
    claim: (key, fingerprint) =>
      transact(db, async (trx) => {
        await forgetKeysBefore(trx, new Date(clock.now().getTime() - KEPT_MS).toISOString());
        return claimKey(trx, { key, bodyHash: fingerprint, at: clock.iso() });
      }),
    answer: (key, answer) => transact(db, (trx) => answerKey(trx, { key, answer })),
    forget: (key) => transact(db, (trx) => forgetKey(trx, key)),
  };
}
