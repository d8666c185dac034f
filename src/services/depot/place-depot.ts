/** Stores where the depot is, so that every worker finds it. */
import type { Depot } from "../../domain/depot/depot.ts";
import { setDepot } from "../../storage/team/depot.ts";
import { transact } from "../../storage/transact.ts";
import type { Uses } from "../core/context-parts.ts";
import { workersChanged } from "../workers/announce.ts";

/** Null: there is none from now on. What lies in the former one stays there. */
export async function placeDepot(
  { db, clock, newFacts }: Uses<"db" | "clock" | "newFacts">,
  to: Pick<Depot, "kind" | "url"> | null,
): Promise<void> {
  const isNews = await transact(db, async (trx) => {
    const moved = await setDepot(trx, to);
    if (moved) await workersChanged(trx, clock.iso());
    return moved;
  });
  if (isNews) newFacts.notify();
}
