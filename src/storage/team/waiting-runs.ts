/** Keeps what each run waits for, and reads what waits on all workers. */
import type { ExpressionBuilder } from "kysely";
import type { RunOptions } from "../../domain/run/run.ts";
import { databaseTime } from "../schema/database-time.ts";
import { type Reader, runOptions, type Schema, type WriteTransaction } from "../schema/schema.ts";
import { UNFINISHED } from "../tables/run-lease.ts";

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

/** Without regard to the lease: it decides nothing about the run itself. Null for nothing. */
export async function noteWaits(
  trx: WriteTransaction,
  ids: readonly string[],
  waitsFor: string | null,
): Promise<void> {
  await trx.updateTable("runs").set({ waitsFor }).where("id", "in", ids).execute();
}

/** A first run in the queue that may begin on another worker: it is the only one of its attempt. */
export interface WaitingRun {
  readonly id: string;
  /** Where it is in the queue. */
  readonly place: number;
  /** Who drives it. */
  readonly worker: string;
  /** As it was noted. */
  readonly waitsFor: string | null;
  readonly mayMove: NonNullable<RunOptions["mayMove"]>;
  readonly agent: string;
  /** Those that its worker has to have. */
  readonly labels: readonly string[];
  /** The least protocol of a worker that may work on it. */
  readonly needs: number;
  /** The address of its repository. */
  readonly address: string;
}

/**
 * In the order of the queue: one run, or up to `limit` runs behind a place. Whether its creator allowed it is asked
 * here, in JSON, so a page may come out shorter; `last` is its end, and null after the last page.
 */
export async function waitingRuns(
  db: Reader,
  which: { readonly run: string } | { readonly behind: number; readonly limit: number },
): Promise<{ readonly runs: readonly WaitingRun[]; readonly last: number | null }> {
  const one = "run" in which ? which : null;
  const page = "run" in which ? null : which;
  const rows = await db
    .selectFrom("runs")
    .innerJoin("attempts", "attempts.id", "runs.attemptId")
    .innerJoin("repositories", "repositories.id", "attempts.repositoryId")
    .innerJoin("tasks", "tasks.id", "attempts.taskId")
    .select([
      ...(["runs.id", "runs.options", "runs.workerId", "runs.waitsFor", "runs.needsProtocol"] as const),
      ...(["runs.queuePlace", "attempts.agent", "repositories.address", "tasks.onLabels"] as const),
    ])
    .where(isFree(db))
    .where("runs.phase", "=", "queued")
    .where("repositories.address", "is not", null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("runs as other")
            .select("other.id")
            .whereRef("other.attemptId", "=", "runs.attemptId")
            .whereRef("other.id", "!=", "runs.id"),
        ),
      ),
    )
    .$if(one !== null, (select) => select.where("runs.id", "=", one?.run ?? ""))
    .$if(page !== null, (select) =>
      select.where("runs.queuePlace", ">", page?.behind ?? 0).limit(page?.limit ?? 0),
    )
    .orderBy("runs.queuePlace")
    .execute();
  const found = rows.flatMap((row) => {
    const { id, queuePlace: place, workerId: worker, waitsFor, agent, address, needsProtocol } = row;
    const { mayMove } = runOptions.read(row).options;
    if (worker === null || address === null || mayMove === undefined) return [];
    const labels: readonly string[] = JSON.parse(row.onLabels);
    return [{ id, place, worker, waitsFor, mayMove, agent, labels, needs: needsProtocol ?? 0, address }];
  });
  const isWhole = page === null || rows.length < page.limit;
  return { runs: found, last: isWhole ? null : (rows.at(-1)?.queuePlace ?? null) };
}

/** By worker: how many runs begin there soon, since they wait for nothing but a slot. Of all workers if `among` is null. */
export async function runsBeforeSlots(
  db: Reader,
  among: readonly string[] | null,
): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom("runs")
    .select(({ fn }) => ["runs.workerId", fn.countAll<number>().as("count")])
    .where(isFree(db))
    .where("runs.phase", "=", "queued")
    .where("runs.workerId", "is not", null)
    .where((eb) => eb.or([eb("runs.waitsFor", "is", null), eb("runs.waitsFor", "=", "parallel")]))
    .$if(among !== null, (select) => select.where("runs.workerId", "in", among ?? []))
    .groupBy("runs.workerId")
    .execute();
  return new Map(rows.map(({ workerId, count }) => [workerId ?? "", Number(count)]));
}

/** By worker: the first run there that waits for one of these. */
export async function firstToWaitFor(
  db: Reader,
  reasons: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom("runs")
    .select(["runs.id", "runs.workerId"])
    .where(isFree(db))
    .where("runs.phase", "in", ["queued", "waiting"])
    .where("runs.workerId", "is not", null)
    .where("runs.waitsFor", "in", reasons)
    .orderBy("runs.queuePlace", "desc")
    .execute();
  return new Map(rows.map(({ id, workerId }) => [workerId ?? "", id]));
}

/** Nobody works on it, it is not held for a person, and it is not to be stopped. */
function isFree(db: Reader) {
  return (eb: ExpressionBuilder<Schema, "runs">) =>
    eb.and([
      eb("runs.status", "in", UNFINISHED),
      eb("runs.held", "=", 0),
      eb("runs.stopRequest", "is", null),
      eb.or([eb("runs.leaseOwner", "is", null), eb("runs.leaseUntil", "<=", databaseTime(db))]),
    ]);
}
