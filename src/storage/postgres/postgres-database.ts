/** Opens Tazuna's database on Postgres: connects, makes its schema and migrates it. */
import { Kysely, sql } from "kysely";
import { storagePlugins } from "../schema/column-values.ts";
import { FairQueue } from "../schema/fair-queue.ts";
import { applyMigrations, onlyAdds, planMigrations, takeMigrationLock } from "../schema/migrator.ts";
import type { Database, OpenOptions } from "../schema/opened-database.ts";
import type { Schema } from "../schema/schema.ts";
import { StorageFailure, storageError } from "../schema/storage-error.ts";
import { createChannels } from "./channels.ts";
import { hearFacts } from "./hear-facts.ts";
import { type PostgresTarget, postgresDialect } from "./postgres-pool.ts";
import { renewWorkerRights } from "./worker-roles.ts";

/** Throws a `StorageFailure` if it cannot be opened; nothing is left open then. */
export async function openPostgres(
  target: PostgresTarget,
  options: Required<OpenOptions>,
): Promise<Database> {
  const sessions = new Set<number>();
  const connect = (isPatient: boolean) =>
    new Kysely<Schema>({
      dialect: postgresDialect(target, { isPatient, sessions }),
      plugins: storagePlugins(),
    });
  const kysely = connect(false);
  try {
    await ensureSchema(kysely, target.schema);
    const migration = { ...options, kind: "postgres" } as const;
    const { pending } = await planMigrations(kysely, migration);
    if (pending.length > 0) {
      if (!isAllowed(options.mayMigrate, pending))
        throw new StorageFailure(storageError("database_older", OLDER));
      await using patient = connect(true);
      await patient.transaction().execute(async (transaction) => {
        await applyMigrations(transaction, migration);
        await renewWorkerRights(transaction);
      });
    }
  } catch (error) {
    await kysely.destroy();
    throw error;
  }
  const queue = new FairQueue();
  const channels = createChannels();
  return {
    kind: "postgres",
    reader: kysely,
    writes: { kysely, queue },
    hearOthers: (listener) =>
      hearFacts(target, { ...listener, reader: kysely, channels, isOwn: (session) => sessions.has(session) }),
    listen: channels.listen,
    close: () => queue.run(() => kysely.destroy()),
  };
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
