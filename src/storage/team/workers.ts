/** Stores the workers that share a Postgres: who they are, what they can do, and when they were last seen. */
import { type RawBuilder, sql } from "kysely";
import { PROTOCOL } from "../../domain/worker/protocol.ts";
import { type Worker, workerName } from "../../domain/worker/worker.ts";
import { databaseTime } from "../schema/database-time.ts";
import { type Reader, type WriteTransaction, workers } from "../schema/schema.ts";
import { UNFINISHED } from "../tables/run-lease.ts";
import { endDrain } from "./drains.ts";

/**
 * A worker registers each time its engine starts. It keeps the name that it got first, agents until it tells others, and
 * the drain that a person began.
 */
export async function registerWorker(
  trx: WriteTransaction,
  worker: Pick<Worker, "id" | "version" | "slots"> & {
    readonly host: string;
    /** Absent: those that it had. */
    readonly labels?: Worker["labels"];
  },
): Promise<Worker> {
  const { id, version, slots, labels } = worker;
  const now = databaseTime(trx);
  const name = await freeName(trx, worker);
  await endDrain(trx, id, "start");
  const good = labels === undefined ? {} : { labels: JSON.stringify(labels) };
  const own = { version, slots, protocol: PROTOCOL, ...good };
  const told = { ...own, state: "ready", startedAt: now, seenAt: now } as const;
  const row = await trx
    .insertInto("workers")
    .values({ id, name, agents: "[]", labels: "[]", ...told })
    .onConflict((conflict) => conflict.column("id").doUpdateSet(told))
    .returningAll()
    .executeTakeFirstOrThrow();
  return workers.read(row);
}

/** The name of the machine, with a number if another worker has it. */
export async function freeName(
  trx: WriteTransaction,
  { id, host }: { readonly id: string; readonly host: string },
): Promise<string> {
  const others = await trx
    .selectFrom("workers")
    .select("name")
    .where("id", "!=", id)
    .where("removedAt", "is", null)
    .execute();
  return workerName(host, new Set(others.map(({ name }) => name)));
}

/** What it can do, or how it is, has changed. Whether that is news. */
export async function changeWorker(
  trx: WriteTransaction,
  { id, ...set }: Pick<Worker, "id"> & Partial<Pick<Worker, "slots" | "agents" | "state" | "clockMs">>,
): Promise<boolean> {
  const row = await trx.selectFrom("workers").selectAll().where("id", "=", id).executeTakeFirst();
  if (row === undefined) return false;
  const known: Readonly<Record<string, unknown>> = workers.read(row);
  const isNews = Object.entries(set).some(
    ([key, value]) => JSON.stringify(known[key]) !== JSON.stringify(value),
  );
  if (isNews) await trx.updateTable("workers").set(workers.write(set)).where("id", "=", id).execute();
  return isNews;
}

/** Whether it was in the state `from` until now: who has stopped is not silent. */
export async function moveWorker(
  trx: WriteTransaction,
  { id, from, to }: { readonly id: string } & Readonly<Record<"from" | "to", Worker["state"]>>,
): Promise<boolean> {
  const moved = await trx
    .updateTable("workers")
    .set({ state: to })
    .where("id", "=", id)
    .where("state", "=", from)
    .executeTakeFirst();
  return moved.numUpdatedRows === 1n;
}

/** Those that may write now. */
export async function countWorkers(db: Reader): Promise<number> {
  const { count } = await db
    .selectFrom("workers")
    .select(({ fn }) => fn.countAll<string | number>().as("count"))
    .where("state", "=", "ready")
    .where("removedAt", "is", null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

interface SeenWorker extends Worker {
  /** How long ago it was seen, in milliseconds of the database's clock. */
  readonly seenAgoMs: number;
  /** Runs that it drives. */
  readonly busy: number;
  /** Open attempts whose files lie there. */
  readonly pinned: number;
}

/** In the order of their names, without those that were removed. */
export async function listWorkers(db: Reader): Promise<readonly SeenWorker[]> {
  const rows = await selectWorkers(db)
    .select((eb) => [
      eb
        .selectFrom("runs")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .whereRef("runs.leaseOwner", "=", "workers.id")
        .where("runs.status", "in", UNFINISHED)
        .as("busy"),
      eb
        .selectFrom("attempts")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .whereRef("attempts.workerId", "=", "workers.id")
        .where("attempts.state", "=", "open")
        .as("pinned"),
    ])
    .orderBy("name")
    .execute();
  return rows.map((row) => ({ ...readSeen(row), busy: row.busy ?? 0, pinned: row.pinned ?? 0 }));
}

/** The same without what they work on, in any order; all if `among` is null. */
export async function seenWorkers(
  db: Reader,
  among: readonly string[] | null,
): Promise<readonly Omit<SeenWorker, "busy" | "pinned">[]> {
  const rows = await selectWorkers(db)
    .$if(among !== null, (select) => select.where("id", "in", among ?? []))
    .execute();
  return rows.map(readSeen);
}

function selectWorkers(db: Reader) {
  return db
    .selectFrom("workers")
    .selectAll()
    .select(databaseTime(db).as("now"))
    .where("removedAt", "is", null);
}

function readSeen(row: { readonly now: string; readonly seenAt: string }) {
  return { ...workers.read(row), seenAgoMs: Math.max(0, Date.parse(row.now) - Date.parse(row.seenAt)) };
}

/**
 * By attempt: the other worker that holds its files, or is to make them. Null as a name: that one never registered.
 */
export async function workersOfAttempts(
  db: Reader,
  { than, among }: { readonly than: string; readonly among: readonly string[] },
): Promise<ReadonlyMap<string, { readonly id: string; readonly name: string | null }>> {
  if (among.length === 0) return new Map();
  const rows = await db
    .selectFrom((eb) =>
      eb
        .selectFrom("attempts")
        .select(({ fn, selectFrom }) => [
          "attempts.id",
          fn
            .coalesce(
              "attempts.workerId",
              selectFrom("runs")
                .select("runs.workerId")
                .whereRef("runs.attemptId", "=", "attempts.id")
                .orderBy("number", "desc")
                .limit(1),
            )
            .as("worker"),
        ])
        .where("attempts.id", "in", among)
        .as("placed"),
    )
    .leftJoin("workers", "workers.id", "placed.worker")
    .select(["placed.id", "placed.worker", "workers.name"])
    .where("placed.worker", "!=", than)
    .execute();
  return new Map(rows.map(({ id, worker, name }) => [id, { id: worker ?? "", name }]));
}

/** By repository: the other worker on whose disk it lies. */
export async function workersOfRepositories(
  db: Reader,
  than: string,
): Promise<ReadonlyMap<string, { readonly id: string; readonly name: string | null }>> {
  const rows = await db
    .selectFrom("repositories")
    .leftJoin("workers", "workers.id", "repositories.workerId")
    .select(["repositories.id", "repositories.workerId", "workers.name"])
    .where("repositories.workerId", "!=", than)
    .execute();
  return new Map(rows.map(({ id, workerId, name }) => [id, { id: workerId ?? "", name }]));
}

/** The seed of the lock that a worker's engine holds on a Postgres; schema and worker are its key. */
export const WORKER_LOCK = 7_268_004;

/**
 * The workers whose engines hold their locks, as Postgres itself says, and of which something is heard. So one that was
 * killed is not there from that moment on.
 */
export async function workersThere(db: Reader): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom("workers")
    .select("id")
    .where("state", "=", "ready")
    .where("removedAt", "is", null)
    .where(IS_HELD)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Whether its engine lives, even if nothing is heard of it. */
export async function isAlive(db: Reader, worker: string): Promise<boolean> {
  const row = await db
    .selectFrom("workers")
    .select("id")
    .where("id", "=", worker)
    .where(IS_HELD)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Whether the engine of this worker is gone, as Postgres itself says. If it is, it cannot start before the end of the
 * transaction.
 */
export async function holdOff(trx: WriteTransaction, id: string): Promise<boolean> {
  const { free } = await trx
    .selectNoFrom(sql<boolean>`pg_try_advisory_xact_lock(${lockKey(sql`${id}`)})`.as("free"))
    .executeTakeFirstOrThrow();
  return free;
}

function lockKey(id: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`hashtextextended(current_schema() || ' ' || ${id}, ${sql.lit(WORKER_LOCK)})`;
}

const IS_HELD = sql<boolean>`exists (
  select 1 from pg_locks where locktype = 'advisory' and granted and objsubid = 1
  and database = (select oid from pg_database where datname = current_database())
  and ((classid::bigint << 32) | objid::bigint) = ${lockKey(sql.ref("workers.id"))}
)`;

/** Null if it never registered. */
export async function workerNamed(db: Reader, id: string): Promise<string | null> {
  const row = await db.selectFrom("workers").select("name").where("id", "=", id).executeTakeFirst();
  return row?.name ?? null;
}
