/** Stores where the depot is, and by the hashes of their keys which workers it lets in. */
import type { Depot } from "../../domain/depot/depot.ts";
import { depots, type Reader, type WriteTransaction } from "../schema/schema.ts";

/** Null if there is none. */
export async function readDepot(db: Reader): Promise<Depot | null> {
  const row = await db.selectFrom("depot").selectAll().executeTakeFirst();
  return row === undefined ? null : depots.read(row);
}

/** Null: there is none from now on. Whether that is news. */
export async function setDepot(
  trx: WriteTransaction,
  to: Pick<Depot, "kind" | "url"> | null,
): Promise<boolean> {
  const known = await readDepot(trx);
  if (known?.kind === to?.kind && known?.url === to?.url) return false;
  await trx.deleteFrom("depot").execute();
  if (to !== null)
    await trx
      .insertInto("depot")
      .values(depots.write({ id: "depot", ...to }))
      .execute();
  return true;
}

/** The key of an earlier start of that worker opens nothing any more. */
export async function setDepotKey(
  trx: WriteTransaction,
  { worker, hash }: { readonly worker: string; readonly hash: string },
): Promise<void> {
  await trx.updateTable("workers").set({ depotKey: hash }).where("id", "=", worker).execute();
}

/** The hash of the worker's key. Null if it has none, is unknown or was removed. */
export async function depotKeyOf(db: Reader, worker: string): Promise<string | null> {
  const row = await db
    .selectFrom("workers")
    .select("depotKey")
    .where("id", "=", worker)
    .where("removedAt", "is", null)
    .executeTakeFirst();
  return row?.depotKey ?? null;
}

/** The addresses of all repositories, also of those that were removed from the list. */
export async function depotAddresses(db: Reader): Promise<readonly string[]> {
  const rows = await db
    .selectFrom("repositories")
    .select("address")
    .distinct()
    .where("address", "is not", null)
    .execute();
  return rows.flatMap(({ address }) => address ?? []);
}
