/** Reads of which addresses each worker has a clone. */
import type { Reader } from "../schema/schema.ts";

/** By worker. Those that were taken out of the list do not count. */
export async function clonesOfWorkers(db: Reader): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await db
    .selectFrom("repositories")
    .select(["workerId", "address"])
    .where("address", "is not", null)
    .where("removedAt", "is", null)
    .execute();
  const groups = Map.groupBy(rows, ({ workerId }) => workerId ?? "");
  return new Map(
    [...groups].map(([worker, those]) => [worker, those.flatMap(({ address }) => address ?? [])]),
  );
}
