/** Decides who may write a run. Each new owner of the lease raises its epoch, so that earlier owners cannot write. */
import type { ExpressionBuilder } from "kysely";
import { isEnded, RUN_STATUSES } from "../../domain/run/state.ts";
import { toTime } from "../schema/column-codecs.ts";
import type { Schema, WriteTransaction } from "../schema/schema.ts";

/** The statuses of a run that may still move. */
export const UNFINISHED = RUN_STATUSES.filter((status) => !isEnded(status));

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
      leaseOwner: lease.owner,
      leaseUntil: toTime(lease.until),
      leaseEpoch: eb("leaseEpoch", "+", 1),
    }))
    .where("id", "=", lease.id)
    .where("status", "in", UNFINISHED)
    .returning("leaseEpoch")
    .executeTakeFirst();
  return row?.leaseEpoch ?? null;
}

export async function renewLease(
  trx: WriteTransaction,
  lease: { readonly id: string; readonly epoch: number /** UTC ISO. */; readonly until: string },
): Promise<"renewed" | "lost"> {
  const result = await trx
    .updateTable("runs")
    .set({ leaseUntil: toTime(lease.until) })
    .where("id", "=", lease.id)
    .where((eb) => writtenBy(eb, lease.epoch))
    .executeTakeFirst();
  return result.numUpdatedRows === 1n ? "renewed" : "lost";
}

/** Gives the lease back. From then on, this epoch cannot write. */
export async function releaseLease(
  trx: WriteTransaction,
  lease: { readonly id: string; readonly epoch: number },
): Promise<"released" | "lost"> {
  const result = await trx
    .updateTable("runs")
    .set({ leaseOwner: null, leaseUntil: null })
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
  if (epoch === null) return eb("leaseOwner", "is", null);
  return eb.and([eb("leaseOwner", "is not", null), eb("leaseEpoch", "=", epoch)]);
}
