/** Says who may write a run: a lease, whose epoch grows with each owner and fences every write of earlier owners. */
import type { ExpressionBuilder } from "kysely";
import { toTime } from "../schema/row.ts";
import type { Schema, WriteTransaction } from "../schema/schema.ts";
import { UNFINISHED } from "./run-row.ts";

/** The writer: the holder of the lease with this epoch, or any caller while there is no holder (null). */
export type Epoch = number | null;

/**
 * Takes the lease from its holder and returns the new epoch; null if the run is gone or has ended. The caller must
 * prove that an earlier owner is dead.
 */
export async function takeLease(
  trx: WriteTransaction,
  lease: { readonly id: string; readonly owner: string /** UTC ISO. */; readonly until: string },
): Promise<number | null> {
  const row = await trx
    .updateTable("runs")
    .set((eb) => ({
      lease_owner: lease.owner,
      lease_until: toTime(lease.until),
      lease_epoch: eb("lease_epoch", "+", 1),
    }))
    .where("id", "=", lease.id)
    .where("status", "in", UNFINISHED)
    .returning("lease_epoch")
    .executeTakeFirst();
  return row?.lease_epoch ?? null;
}

export async function renewLease(
  trx: WriteTransaction,
  lease: { readonly id: string; readonly epoch: number /** UTC ISO. */; readonly until: string },
): Promise<"renewed" | "lost"> {
  const result = await trx
    .updateTable("runs")
    .set({ lease_until: toTime(lease.until) })
    .where("id", "=", lease.id)
    .where((eb) => writtenBy(eb, lease.epoch))
    .executeTakeFirst();
  return result.numUpdatedRows === 1n ? "renewed" : "lost";
}

/** Returns the lease; from then on this epoch cannot write. */
export async function releaseLease(
  trx: WriteTransaction,
  lease: { readonly id: string; readonly epoch: number },
): Promise<"released" | "lost"> {
  const result = await trx
    .updateTable("runs")
    .set({ lease_owner: null, lease_until: null })
    .where("id", "=", lease.id)
    .where((eb) => writtenBy(eb, lease.epoch))
    .executeTakeFirst();
  return result.numUpdatedRows === 1n ? "released" : "lost";
}

/** Whether this epoch may write the run. Ask it in the transaction that writes something else for the run. */
export async function holdsLease(
  trx: WriteTransaction,
  lease: { readonly id: string; readonly epoch: Epoch },
): Promise<boolean> {
  const row = await trx
    .selectFrom("runs")
    .select("id")
    .where("id", "=", lease.id)
    .where((eb) => writtenBy(eb, lease.epoch))
    .executeTakeFirst();
  return row !== undefined;
}

/** The condition that fences a write. */
export function writtenBy(eb: ExpressionBuilder<Schema, "runs">, epoch: Epoch) {
  if (epoch === null) return eb("lease_owner", "is", null);
  return eb.and([eb("lease_owner", "is not", null), eb("lease_epoch", "=", epoch)]);
}
