/** Runs the body of a storage test on each database: SQLite in its own folder, Postgres in its own schema. */
import { test } from "bun:test";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { Client } from "pg";
import { type DatabaseTarget, openDatabase } from "../../src/storage/database.ts";
import type { Database } from "../../src/storage/schema/opened-database.ts";
import { postgres, postgresUrl } from "./postgres-server.ts";
import { tempDir } from "./temp-dir.ts";
import { deep } from "./tier.ts";

export interface TestDatabase {
  readonly db: Database;
  readonly target: DatabaseTarget;
  /** Where a changed SQLite is copied to. */
  readonly backupDir: string;
  /** Opens the same database once more, as another program would; closed at the end of the test. */
  open(): Promise<Database>;
}

/** Registers one test per database. If there is no Postgres, its test says that it was skipped and why. */
export function onBothDatabases(
  what: string,
  body: (on: TestDatabase) => Promise<void>,
  options: { readonly timeoutMs?: number } = {},
): void {
  const timeout = options.timeoutMs ?? USUAL_MS;
  test(`${what} (sqlite)`, () => onSqlite(body), timeout);
  onPostgresAlone(what, body, options);
}

/** Registers a test for what an SQLite does not do. `missing` says what else it needs and is not there. */
export function onPostgresAlone(
  what: string,
  body: (on: TestDatabase) => Promise<void>,
  options: { readonly timeoutMs?: number; readonly missing?: string | null } = {},
): void {
  const missing = "missing" in postgres ? postgres.missing : (options.missing ?? null);
  if (missing !== null) test.skip(deep(`${what} (postgres; skipped: ${missing})`), () => undefined);
  // The first test of a run waits for the server to be made.
  else test(deep(`${what} (postgres)`), () => onPostgres(body), (options.timeoutMs ?? USUAL_MS) + 120_000);
}

const USUAL_MS = 60_000;

async function onSqlite(body: (on: TestDatabase) => Promise<void>): Promise<void> {
  await using folder = await tempDir();
  await onTarget({ kind: "sqlite", file: join(folder.path, "tazuna.db") }, body);
}

async function onPostgres(body: (on: TestDatabase) => Promise<void>): Promise<void> {
  const url = await postgresUrl();
  const schema = `test_${randomBytes(8).toString("hex")}`;
  try {
    await onTarget({ kind: "postgres", url, schema }, body);
  } finally {
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query(`drop schema if exists ${schema} cascade`);
    await client.end();
  }
}

async function onTarget(target: DatabaseTarget, body: (on: TestDatabase) => Promise<void>): Promise<void> {
  await using backups = await tempDir();
  const opened: Database[] = [];
  const open = async () => {
    const result = await openDatabase(target, { backupDir: backups.path, programVersion: "0.1.0" });
    const db = result._unsafeUnwrap();
    opened.push(db);
    return db;
  };
  try {
    await body({ db: await open(), target, backupDir: backups.path, open });
  } finally {
    for (const db of opened) await db.close();
  }
}
