/** Brings a database to the program's schema: forward only, in one transaction. A newer schema has to be one that only adds. */
import { type Kysely, sql, type Transaction } from "kysely";
import type { Schema } from "./schema.ts";
import { StorageFailure, storageError } from "./storage-error.ts";

/** One step of the schema, which is told the kind of database. */
export interface Migration {
  up(db: Kysely<unknown>, kind: DatabaseKind): Promise<void>;
}

export type DatabaseKind = "sqlite" | "postgres";

/**
 * Whether programs that do not know this migration work on, before and after it: it only adds tables, columns that may
 * be left out, and indexes (ADR 0100).
 */
export function onlyAdds(name: string): boolean {
  return /^\d{4}-adds-/.test(name);
}

/** Keyed by name. Names begin with four digits and sort in their order of application. */
export type Migrations = Readonly<Record<string, Migration>>;

interface MigrationOptions {
  readonly kind: DatabaseKind;
  readonly migrations: Migrations;
  readonly programVersion: string;
}

interface MigrationPlan {
  /** The newest migration of the database; null if it has none. */
  readonly current: string | null;
  readonly pending: readonly string[];
}

/**
 * The pending migrations. Throws a `StorageFailure` (`database_newer`) that names both versions, if the database is
 * newer. Unknown migrations that only add make it no newer.
 */
export async function planMigrations(db: Kysely<Schema>, options: MigrationOptions): Promise<MigrationPlan> {
  const known = Object.keys(options.migrations).sort();
  const applied = await appliedMigrations(db, options.kind);
  const newest = applied.at(-1);
  if (newest !== undefined && applied.some(({ name }) => !known.includes(name) && !onlyAdds(name)))
    throw new StorageFailure(
      storageError(
        "database_newer",
        `The database has schema ${newest.name}, written by Tazuna ${newest.program}; this is Tazuna ${options.programVersion}, which knows schemas up to ${known.at(-1)}.`,
      ),
    );
  const names = applied.map(({ name }) => name);
  return { current: newest?.name ?? null, pending: known.filter((name) => !names.includes(name)) };
}

/** Applies pending migrations in turn, inside the caller's transaction: all of them or none. */
export async function applyMigrations(
  transaction: Transaction<Schema>,
  options: MigrationOptions,
): Promise<void> {
  if (options.kind === "postgres") await takeMigrationLock(transaction);
  const { current, pending } = await planMigrations(transaction, options);
  if (current === null) await createJournal(transaction);
  for (const name of pending) {
    await options.migrations[name]?.up(transaction as unknown as Kysely<unknown>, options.kind);
    await transaction
      .insertInto("schemaMigrations")
      .values({ name, program: options.programVersion })
      .execute();
  }
}

/** On Postgres, lets one program at a time change the schema, until the transaction ends. */
export async function takeMigrationLock(transaction: Transaction<Schema>): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(MIGRATION_LOCK)}, 0)`.execute(transaction);
}

const MIGRATION_LOCK = 7_268_001;

const JOURNAL = "schema_migrations";

async function createJournal(transaction: Transaction<Schema>): Promise<void> {
  await transaction.schema
    .createTable(JOURNAL)
    .addColumn("name", "text", (column) => column.primaryKey())
    .addColumn("program", "text", (column) => column.notNull())
    .execute();
}

/** The newest change that was made to the tables. */
export async function currentSchema(db: Kysely<Schema>): Promise<string> {
  const rows = await db
    .selectFrom("schemaMigrations")
    .select("name")
    .orderBy("name", "desc")
    .limit(1)
    .execute();
  return rows[0]?.name ?? "";
}

async function appliedMigrations(
  db: Kysely<Schema>,
  kind: DatabaseKind,
): Promise<{ readonly name: string; readonly program: string }[]> {
  const there =
    kind === "sqlite"
      ? sql<{ name: string }>`select name from sqlite_master where type = 'table' and name = ${JOURNAL}`
      : sql<{
          name: string;
        }>`select tablename as name from pg_tables where schemaname = current_schema() and tablename = ${JOURNAL}`;
  if ((await there.execute(db)).rows.length === 0) return [];
  const rows = await db.selectFrom("schemaMigrations").select(["name", "program"]).execute();
  return rows.sort((a, b) => (a.name < b.name ? -1 : 1));
}
