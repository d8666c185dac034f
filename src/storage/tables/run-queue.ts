/** Orders the queued runs of an attempt among the places that they have in the queue of all runs. */
import { nextInQueue, queueOf } from "../../domain/run/queue.ts";
import type { Run } from "../../domain/run/run.ts";
import type { Reader, WriteTransaction } from "../schema/schema.ts";
import { runsOfAttempt } from "./runs.ts";

/**
 * Puts runs into this order; their places stay the same ones. So runs of other attempts wait neither longer nor
 * shorter.
 */
export async function orderRuns(trx: WriteTransaction, ids: readonly string[]): Promise<void> {
  const rows = await trx
    .selectFrom("runs")
    .select(["id", "queuePlace"])
    .where("id", "in", ids)
    .orderBy("queuePlace")
    .execute();
  const moves = rows
    .map(({ queuePlace }, index) => ({ id: ids[index] ?? "", place: queuePlace }))
    .filter(({ id }, index) => id !== rows[index]?.id);
  // No two runs may have one place at any moment: first to places that nobody has.
  for (const { id, place } of moves)
    await trx.updateTable("runs").set({ queuePlace: -place }).where("id", "=", id).execute();
  for (const { id, place } of moves)
    await trx.updateTable("runs").set({ queuePlace: place }).where("id", "=", id).execute();
}

/**
 * Whether a run may begin now: it has left the queue, or it is the next one of it. It is then put before those that
 * are held. Ask it in the transaction that takes the lease: an order that a person gave before then holds.
 */
export async function isItsTurn(
  trx: WriteTransaction,
  run: Pick<Run, "id" | "attemptId" | "phase" | "stopRequest">,
): Promise<boolean> {
  if (run.phase !== "queued" || run.stopRequest !== null) return true;
  // A lease of its own is left from an engine that died: another one takes it over.
  const queue = queueOf(
    (await runsOfAttempt(trx, run.attemptId)).map((each) =>
      each.id === run.id ? { ...each, lease: null } : each,
    ),
  );
  if (nextInQueue(queue)?.id !== run.id) return false;
  await orderRuns(trx, [run.id, ...queue.flatMap(({ id }) => (id === run.id ? [] : [id]))]);
  return true;
}

/** The place of each queued run in the queue of its attempt, counted from 1. */
export async function positionsInQueue(
  db: Reader,
  attemptIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (attemptIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("runs")
    .select(["id", "attemptId"])
    .where("attemptId", "in", attemptIds)
    .where("status", "=", "PENDING")
    .where("phase", "=", "queued")
    .where("stopRequest", "is", null)
    .where("leaseOwner", "is", null)
    .orderBy("queuePlace")
    .execute();
  const queues = Map.groupBy(rows, ({ attemptId }) => attemptId).values();
  return new Map([...queues].flatMap((queue) => queue.map(({ id }, index) => [id, index + 1] as const)));
}

/** Takes the leases of queued runs from engines that are dead, as the caller must know. They have not begun. */
export async function freeQueued(trx: WriteTransaction, worker: string | null): Promise<void> {
  await trx
    .updateTable("runs")
    .set({ leaseOwner: null, leaseUntil: null })
    .where("status", "=", "PENDING")
    .where("phase", "=", "queued")
    .where("leaseOwner", "is not", null)
    .$if(worker !== null, (free) => free.where("leaseOwner", "=", worker))
    .execute();
}
