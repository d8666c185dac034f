/** Opens Tazuna's database on Postgres: connects, makes its schema and migrates it. */
import { Kysely, sql } from "kysely";
import type { Pool } from "pg";
import { storagePlugins } from "../schema/column-values.ts";
import { FairQueue } from "../schema/fair-queue.ts";
import { applyMigrations, onlyAdds, planMigrations, takeMigrationLock } from "../schema/migrator.ts";
import type { Database, OpenOptions } from "../schema/opened-database.ts";
import type { Schema } from "../schema/schema.ts";
import { StorageFailure, storageError } from "../schema/storage-error.ts";
import { createChannels } from "./channels.ts";
import { hearFacts } from "./hear-facts.ts";
import { CONNECT_MS, type PostgresTarget, postgresDialect, postgresPool } from "./postgres-pool.ts";
import { createSeats, type Seats } from "./seats.ts";
import { renewWorkerRights } from "./worker-roles.ts";

/** Throws a `StorageFailure` if it cannot be opened; nothing is left open then. */
export async function openPostgres(
  target: PostgresTarget,
  options: Required<OpenOptions>,
): Promise<Database> {
  const sessions = new Set<number>();
  const pool = postgresPool(target, { max: READERS + 1, sessions });
  const reader = over(pool, createSeats(READERS, CONNECT_MS));
  try {
    await ensureSchema(reader, target.schema);
    await migrate(target, { ...options, reader });
  } catch (error) {
    await reader.destroy();
    throw error;
  }
  const turns = over(pool);
  const asidePool = postgresPool(target, { max: 1, isKept: true, sessions });
  const aside = over(asidePool);
  const queue = new FairQueue();
  const channels = createChannels();
  const isOwn = (session: number) => sessions.has(session);
  return {
    kind: "postgres",
    reader,
    writes: { kysely: turns, aside, queue },
    hearOthers: (listener) => hearFacts(asidePool, { ...listener, reader, channels, isOwn }),
    listen: channels.listen,
    close: () =>
      queue.run(async () => {
        for (const kysely of [turns, aside, reader]) await kysely.destroy();
        if (!asidePool.ending) await asidePool.end();
      }),
  };
}

/**
 * So many statements read at once. With the one writer, what waits for no turn, and the engine's locks, an engine holds five
 * connections (ADR 0106).
 */
const READERS = 2;

function over(pool: Pool, seats?: Seats): Kysely<Schema> {
  return new Kysely<Schema>({ dialect: postgresDialect(pool, seats), plugins: storagePlugins() });
}

async function migrate(
  target: PostgresTarget,
  { reader, ...options }: Required<OpenOptions> & { readonly reader: Kysely<Schema> },
): Promise<void> {
  const migration = { ...options, kind: "postgres" } as const;
  const { pending } = await planMigrations(reader, migration);
  if (pending.length === 0) return;
  if (!isAllowed(options.mayMigrate, pending))
    throw new StorageFailure(storageError("database_older", OLDER));
  await using patient = over(postgresPool(target, { max: 1, isPatient: true, sessions: new Set() }));
  await patient.transaction().execute(async (transaction) => {
    await applyMigrations(transaction, migration);
    await renewWorkerRights(transaction);
  });
}

function isAllowed(mayMigrate: Required<OpenOptions>["mayMigrate"], pending: readonly string[]): boolean {
  return mayMigrate === "all" || (mayMigrate === "additions" && pending.every(onlyAdds));
}

const OLDER = "Another Tazuna works on this database, whose tables have to be changed for this version.";

/** Makes the schema for the tables, unless it exists. */
async function ensureSchema(kysely: Kysely<Schema>, wanted: string | null): Promise<void> {
  const found = await sql<{ name: string | null }>`select current_schema() as name`.execute(kysely);
  const name = found.rows[0]?.name ?? null;
  if (name !== null && (wanted === null || name === wanted)) return;
  await kysely.transaction().execute(async (transaction) => {
    await takeMigrationLock(transaction);
    // The plugins would change the capitals of its name.
    const plain = transaction.withoutPlugins();
    await sql`create schema if not exists ${sql.id(wanted ?? "public")}`.execute(plain);
  });
}
