/**
 * Decides who may write a run. Each new owner of the lease raises its epoch, so that earlier owners cannot write
 * (ADR 0080).
 */
import { type ExpressionBuilder, sql } from "kysely";
import type { SharedSlot } from "../../domain/run/scheduling.ts";
import { isEnded, RUN_STATUSES } from "../../domain/run/state.ts";
import { PROTOCOL } from "../../domain/worker/protocol.ts";
import { databaseTime } from "../schema/database-time.ts";
import type { Database } from "../schema/opened-database.ts";
import type { Reader, Schema, WriteTransaction } from "../schema/schema.ts";

/** The statuses of a run that may still move. */
export const UNFINISHED = RUN_STATUSES.filter((status) => !isEnded(status));

/** The writer: the holder of the lease with this epoch, or any caller while there is no holder (null). */
export type Epoch = number | null;

interface LeaseTerms {
  /** A data folder (`worker-id`): one process at a time works on it. */
  readonly owner: string;
  /** How long it holds from now on without being renewed, in milliseconds of the database's clock. */
  readonly forMs: number;
}

/**
 * Takes the lease and returns the new epoch. Null if another owner holds it, or if the run is gone or has ended. The same
 * if it needs a newer program. What
 * the same owner holds is taken again: the caller knows that this process does not. `slot`: what it counts for until the
 * lease is over; null if it starts nothing.
 */
export async function takeLease(
  trx: WriteTransaction,
  { id, owner, forMs, slot = null }: LeaseTerms & { readonly id: string; readonly slot?: SharedSlot | null },
): Promise<number | null> {
  const row = await trx
    .updateTable("runs")
    .set((eb) => ({
      leaseOwner: owner,
      leaseUntil: databaseTime(trx, forMs),
      leaseEpoch: eb("leaseEpoch", "+", 1),
      slotRepository: slot?.repositoryKey ?? null,
      slotLogin: slot?.login ?? null,
    }))
    .where("id", "=", id)
    .where("status", "in", UNFINISHED)
    .where(isKnown)
    .where((eb) =>
      eb.or([
        eb("leaseOwner", "is", null),
        eb("leaseOwner", "=", owner),
        eb("leaseUntil", "<=", databaseTime(trx)),
      ]),
    )
    .returning("leaseEpoch")
    .executeTakeFirst();
  return row?.leaseEpoch ?? null;
}

/**
 * Renews everything that the owner holds, and returns the epochs by run: what is missing has another owner. On a
 * Postgres the owner is seen as a worker by the same statement. It is outside the queue of writers, since it tells nobody
 * anything (ADR 0080).
 */
export async function renewLeases(
  { kind, writes }: Database,
  { owner, forMs }: LeaseTerms,
): Promise<ReadonlyMap<string, number>> {
  const db = writes.aside;
  const seen = { seenAt: databaseTime(db) };
  const query =
    kind === "sqlite"
      ? db
      : db.with("seen", (also) =>
          also.updateTable("workers").set(seen).where("id", "=", owner).returning("id"),
        );
  const rows = await (query as typeof db)
    .updateTable("runs")
    .set({ leaseUntil: databaseTime(db, forMs) })
    .where("leaseOwner", "=", owner)
    .returning(["id", "leaseEpoch"])
    .execute();
  return new Map(rows.map(({ id, leaseEpoch }) => [id, leaseEpoch]));
}

/** A run that needs a newer program than this one is left to it. */
export const isKnown = sql<boolean>`coalesce(runs.needs_protocol, 0) <= ${sql.lit(PROTOCOL)}`;

interface SlotInUse extends SharedSlot {
  /** The run that uses it. */
  readonly run: string;
  readonly worker: string;
}

/**
 * What works now on all workers, as it counts for the limits. Ask it in the transaction that takes a lease: two workers
 * never pass a limit together. A lease that has expired counts no more.
 */
export async function slotsInUse(db: Reader): Promise<readonly SlotInUse[]> {
  const rows = await db
    .selectFrom("runs")
    .select(["id", "leaseOwner", "slotRepository", "slotLogin"])
    .where("status", "in", UNFINISHED)
    .where("leaseUntil", ">", databaseTime(db))
    .where("slotRepository", "is not", null)
    .execute();
  return rows.map(({ id, leaseOwner, slotRepository, slotLogin }) => ({
    run: id,
    worker: leaseOwner ?? "",
    repositoryKey: slotRepository ?? "",
    login: slotLogin,
  }));
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

/** Those of these runs, with their epochs, that their owner may still write and that have not ended. */
export async function runsWritableBy(
  trx: WriteTransaction,
  leases: ReadonlyMap<string, number>,
): Promise<ReadonlySet<string>> {
  const rows = await trx
    .selectFrom("runs")
    .select(["id", "leaseEpoch"])
    .where("id", "in", [...leases.keys()])
    .where("status", "in", UNFINISHED)
    .where("leaseOwner", "is not", null)
    .execute();
  return new Set(rows.filter(({ id, leaseEpoch }) => leases.get(id) === leaseEpoch).map(({ id }) => id));
}

/** The condition that fences a write. */
export function writtenBy(eb: ExpressionBuilder<Schema, "runs">, epoch: Epoch) {
  if (epoch === null) return eb("leaseOwner", "is", null);
  return eb.and([eb("leaseOwner", "is not", null), eb("leaseEpoch", "=", epoch)]);
}
