/** Reads the runs that wait on all workers, in the order of the queue. */
import type { Reader } from "../schema/schema.ts";
import { UNFINISHED } from "../tables/run-lease.ts";

interface WaitingRun {
  readonly id: string;
  /** Who drives it. */
  readonly worker: string;
}

/** Neither those that a worker works on, nor those that are held for a person. */
export async function waitingRuns(db: Reader): Promise<readonly WaitingRun[]> {
  const rows = await db
    .selectFrom("runs")
    .select(["id", "workerId"])
    .where("status", "in", UNFINISHED)
    .where("phase", "in", ["queued", "waiting"])
    .where("leaseOwner", "is", null)
    .where("held", "=", 0)
    .where("workerId", "is not", null)
    .orderBy("queuePlace")
    .execute();
  return rows.map(({ id, workerId }) => ({ id, worker: workerId ?? "" }));
}
