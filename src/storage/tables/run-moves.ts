/** Changes runs, by compare-and-swap and only for the holder of the lease. */
import type { Run } from "../../domain/run/run.ts";
import { isEnded, type RunState } from "../../domain/run/state.ts";
import { runs, type WriteTransaction } from "../schema/schema.ts";
import { type Epoch, UNFINISHED, writtenBy } from "./run-lease.ts";

/** The fields of a run that may change beside its state; absent keys stay as they are. */
export type RunChange = Partial<
  Omit<
    Run,
    | "id"
    | "attemptId"
    | "number"
    | "kind"
    | "status"
    | "phase"
    | "stopRequest"
    | "offline"
    | "createdAt"
    | "lease"
  >
>;

/**
 * Moves the run, only from the expected state and only for the holder of that epoch. `lost` changes nothing; an ended
 * run never moves. The table of the domain says whether the move is legal. The caller writes the fact that announces
 * the move in the same transaction.
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
    .set({ ...runs.write(move.set ?? {}), status: move.to.status, phase: move.to.phase })
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
    // With the id, the statement is valid even if nothing else is set.
    .set({ ...runs.write(change.set), id: change.id })
    .where("id", "=", change.id)
    .where((eb) => writtenBy(eb, change.expect.epoch))
    .executeTakeFirst();
  return result.numUpdatedRows === 1n ? "updated" : "lost";
}

/**
 * Lets a run whose process was stopped for a question go on, without regard to the lease: the queue begins it when it
 * has a slot.
 */
export async function resumeParked(trx: WriteTransaction, id: string, at: string): Promise<void> {
  await trx
    .updateTable("runs")
    .set(runs.write({ resumeAt: at }))
    .where("id", "=", id)
    .where("phase", "=", "waiting")
    .execute();
}

/**
 * Records a person's request without regard to the lease; the run's owner acts on it. A request to stop never weakens
 * an earlier request to cancel. `ended` if there is nothing left to stop.
 */
export async function requestStop(
  trx: WriteTransaction,
  id: string,
  request: "stop" | "cancel",
): Promise<"requested" | "ended"> {
  const result = await trx
    .updateTable("runs")
    .set((eb) => ({
      stopRequest:
        request === "cancel"
          ? request
          : eb.fn.coalesce("stopRequest", eb.cast<string>(eb.val(request), "text")),
    }))
    .where("id", "=", id)
    .where("status", "in", UNFINISHED)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n ? "requested" : "ended";
}
