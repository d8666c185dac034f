/** Finds the runs whose worker is lost, and hands them to another one (ADR 0096). */
import type { Run } from "../../domain/run/run.ts";
import { databaseTime } from "../schema/database-time.ts";
import { type Reader, runs, type WriteTransaction } from "../schema/schema.ts";
import { isKnown, UNFINISHED } from "../tables/run-lease.ts";

interface RunOfLost {
  readonly run: Run;
  readonly worker: { readonly id: string; readonly name: string };
}

/**
 * Runs of others whose lease has expired by the clock of the database. Whoever held one has not renewed it for that
 * long, and has stopped its agents by then (ADR 0093).
 */
export async function lostRuns(
  db: Reader,
  { than, only = null }: { readonly than: string; readonly only?: string | null },
): Promise<readonly RunOfLost[]> {
  const rows = await db
    .selectFrom("runs")
    .innerJoin("workers", "workers.id", "runs.leaseOwner")
    .selectAll("runs")
    .select("workers.name as workerName")
    .where("runs.status", "in", UNFINISHED)
    .where("runs.leaseOwner", "!=", than)
    .where(isKnown)
    .where("runs.leaseUntil", "<=", databaseTime(db))
    .where("workers.removedAt", "is", null)
    .$if(only !== null, (select) => select.where("runs.id", "=", only ?? ""))
    .orderBy("runs.queuePlace")
    .execute();
  return rows.map(({ workerName: name, ...row }) => ({
    run: runs.read(row),
    worker: { id: row.leaseOwner ?? "", name },
  }));
}

/** All that waits in the attempt is driven by this worker from now on, too. */
export async function handOver(
  trx: WriteTransaction,
  { attempt, to }: { readonly attempt: string; readonly to: string },
): Promise<void> {
  await trx
    .updateTable("runs")
    .set({ workerId: to })
    .where("attemptId", "=", attempt)
    .where("status", "in", UNFINISHED)
    .execute();
}
