/** Changes runs, by compare-and-swap and only for whoever holds the lease. */
import { isEnded, type RunState } from "../domain/run/state.ts";
import { type Epoch, writtenBy } from "./run-lease.ts";
import { columnsOfChange, type RunChange, UNFINISHED } from "./run-row.ts";
import type { WriteTransaction } from "./schema.ts";

/**
 * Moves the run, only from the expected state and only for the holder of that epoch. `lost` changes nothing; an ended
 * run never moves. Whether the move is legal is said by the table of the domain. The caller writes the fact that
 * announces the move in the same transaction.
 */
export async function moveRun(
  trx: WriteTransaction,
  move: {
    readonly id: string;
    readonly expect: RunState & { readonly epoch: Epoch };
    readonly to: RunState;
    readonly set?: RunChange;
  },
): Promise<"moved" | "lost"> {
  const { status, phase, epoch } = move.expect;
  if (isEnded(status)) return "lost";
  const result = await trx
    .updateTable("runs")
    .set({ ...columnsOfChange(move.set ?? {}), status: move.to.status, phase: move.to.phase })
    .where("id", "=", move.id)
    .where("status", "=", status)
    .where("phase", phase === null ? "is" : "=", phase)
    .where((eb) => writtenBy(eb, epoch))
    .executeTakeFirst();
  return result.numUpdatedRows === 1n ? "moved" : "lost";
}

/** Stores facts that do not move the run, only for the holder of that epoch. */
export async function updateRun(
  trx: WriteTransaction,
  change: { readonly id: string; readonly expect: { readonly epoch: Epoch }; readonly set: RunChange },
): Promise<"updated" | "lost"> {
  const result = await trx
    .updateTable("runs")
    .set({ ...columnsOfChange(change.set), id: change.id })
    .where("id", "=", change.id)
    .where((eb) => writtenBy(eb, change.expect.epoch))
    .executeTakeFirst();
  return result.numUpdatedRows === 1n ? "updated" : "lost";
}

/**
 * Records what a person wants, whoever holds the lease; the run's owner acts on it. A wish to stop never weakens an
 * earlier wish to cancel. `ended` where there is nothing left to stop.
 */
export async function requestStop(
  trx: WriteTransaction,
  id: string,
  wish: "stop" | "cancel",
): Promise<"requested" | "ended"> {
  const result = await trx
    .updateTable("runs")
    .set((eb) => ({
      stop_request:
        wish === "cancel" ? wish : eb.fn.coalesce("stop_request", eb.cast<string>(eb.val(wish), "text")),
    }))
    .where("id", "=", id)
    .where("status", "in", UNFINISHED)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n ? "requested" : "ended";
}
