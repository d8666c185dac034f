/** Holds a run's lease while this engine drives it, so that an earlier owner can no longer write. */

import { releaseLease, renewLease, takeLease } from "../../storage/tables/run-lease.ts";
import { isItsTurn } from "../../storage/tables/run-queue.ts";
import { getRun } from "../../storage/tables/runs.ts";
import { transact } from "../../storage/transact.ts";
import type { Uses } from "../core/context-parts.ts";

interface HeldLease {
  readonly epoch: number;
  release(): Promise<void>;
}

/**
 * Takes the lease and renews it until it is released; null if the run is gone or has ended. `inTurn` means that it is
 * to begin: null also if another run of its queue comes first by now.
 */
export async function keepLease(
  context: Uses<"db" | "clock" | "owner" | "timing" | "reportFault">,
  runId: string,
  options: { readonly inTurn?: true } = {},
): Promise<HeldLease | null> {
  const until = () => new Date(context.clock.now().getTime() + context.timing.leaseMs).toISOString();
  const epoch = await transact(context.db, async (trx) => {
    const run = options.inTurn === true ? await getRun(trx, runId) : null;
    if (run !== null && !(await isItsTurn(trx, run))) return null;
    return takeLease(trx, { id: runId, owner: context.owner, until: until() });
  });
  if (epoch === null) return null;
  const renewal = setInterval(() => {
    transact(context.db, (trx) => renewLease(trx, { id: runId, epoch, until: until() })).catch((error) =>
      context.reportFault(`renewing the lease of run ${runId}`, error),
    );
  }, context.timing.leaseMs / 3);
  return {
    epoch,
    release: async () => {
      clearInterval(renewal);
      await transact(context.db, (trx) => releaseLease(trx, { id: runId, epoch }));
    },
  };
}
