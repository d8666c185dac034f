/** Reads the runs that wait on all workers, in the order of the queue. */
import type { Run } from "../../domain/run/run.ts";
import { databaseTime } from "../schema/database-time.ts";
import { type Reader, runs } from "../schema/schema.ts";
import { UNFINISHED } from "../tables/run-lease.ts";

interface WaitingRun {
  readonly run: Run;
  /** Who drives it. */
  readonly worker: string;
  readonly agent: string;
  /** Those that its worker has to have. */
  readonly labels: readonly string[];
  /** The least protocol of a worker that may work on it. */
  readonly needs: number;
  /** The address of its repository; null if it has none. */
  readonly address: string | null;
  /** How many runs its attempt has in all. */
  readonly runsOfAttempt: number;
}

/** By run: the name of the worker that drives it, and whose program is too old for it. */
export async function olderWorkers(
  db: Reader,
  among: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (among.length === 0) return new Map();
  const rows = await db
    .selectFrom("runs")
    .innerJoin("workers", "workers.id", "runs.workerId")
    .select(["runs.id", "workers.name"])
    .where("runs.id", "in", among)
    .whereRef("runs.needsProtocol", ">", "workers.protocol")
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/**
 * Neither those that a worker works on, nor those that are held for a person, or are to be stopped. `only`: this run, and
 * those of this worker.
 */
export async function waitingRuns(
  db: Reader,
  only: { readonly run: string; readonly worker: string } | null = null,
): Promise<readonly WaitingRun[]> {
  const rows = await db
    .selectFrom("runs")
    .innerJoin("attempts", "attempts.id", "runs.attemptId")
    .innerJoin("repositories", "repositories.id", "attempts.repositoryId")
    .innerJoin("tasks", "tasks.id", "attempts.taskId")
    .selectAll("runs")
    .select((eb) => [
      "attempts.agent",
      "repositories.address",
      "tasks.onLabels",
      eb
        .selectFrom("runs as other")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .whereRef("other.attemptId", "=", "runs.attemptId")
        .as("runsOfAttempt"),
    ])
    .$if(only !== null, (select) =>
      select.where((eb) =>
        eb.or([eb("runs.id", "=", only?.run ?? ""), eb("runs.workerId", "=", only?.worker ?? "")]),
      ),
    )
    .where("runs.status", "in", UNFINISHED)
    .where("runs.phase", "in", ["queued", "waiting"])
    .where("runs.held", "=", 0)
    .where("runs.stopRequest", "is", null)
    .where((eb) => eb.or([eb("runs.leaseOwner", "is", null), eb("runs.leaseUntil", "<=", databaseTime(db))]))
    .orderBy("runs.queuePlace")
    .execute();
  return rows.flatMap((row) => {
    const { workerId: worker, agent, address, runsOfAttempt, needsProtocol } = row;
    if (worker === null) return [];
    const labels: readonly string[] = JSON.parse(row.onLabels);
    return [
      {
        run: runs.read(row),
        worker,
        agent,
        labels,
        address,
        needs: needsProtocol ?? 0,
        runsOfAttempt: Number(runsOfAttempt),
      },
    ];
  });
}
