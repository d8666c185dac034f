/** Lets this worker be asked again for runs whose repository it could not clone (ADR 0108). */
import { forgetUncloned } from "../../storage/team/uncloned-runs.ts";
import { transact } from "../../storage/transact.ts";
import type { Uses } from "../core/context-parts.ts";
import { ownWorker } from "../core/held-elsewhere.ts";

/** To be called when a clone may be tried again. It asks for a look only if a run waits for that. */
export async function askAgain(context: Uses<"db" | "owner" | "team">): Promise<void> {
  const own = ownWorker(context);
  if (own === null) return;
  const waits = await transact(context.db, (trx) => forgetUncloned(trx, own));
  if (waits) await context.team().placeSoon();
}
