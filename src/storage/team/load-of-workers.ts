/** Reads what the workers of a database could take on: slots, agents, and what they have to do. */
import type { Worker } from "../../domain/worker/worker.ts";
import { type Reader, workers } from "../schema/schema.ts";
import { UNFINISHED } from "../tables/run-lease.ts";

interface LoadedWorker extends Worker {
  /** Runs that it drives or is to drive. Neither held ones nor those that wait for a person or a limit count. */
  readonly busy: number;
}

export async function loadOfWorkers(db: Reader): Promise<readonly LoadedWorker[]> {
  const rows = await db
    .selectFrom("workers")
    .selectAll()
    .select((eb) =>
      eb
        .selectFrom("runs")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .whereRef("runs.workerId", "=", "workers.id")
        .where("runs.status", "in", UNFINISHED)
        .where("runs.held", "=", 0)
        .where((run) => run.or([run("runs.phase", "is", null), run("runs.phase", "!=", "waiting")]))
        .as("busy"),
    )
    .where("removedAt", "is", null)
    .execute();
  return rows.map((row) => ({ ...workers.read(row), busy: Number(row.busy ?? 0) }));
}
