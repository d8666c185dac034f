/** Opens Tazuna's SQLite database: a writing and a reading connection, and a backup before its schema changes. */
import type { Database as SqliteHandle } from "bun:sqlite";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Kysely, sql } from "kysely";
import { storagePlugins } from "../schema/column-values.ts";
import { FairQueue } from "../schema/fair-queue.ts";
import { applyMigrations, planMigrations } from "../schema/migrator.ts";
import type { Database, OpenOptions } from "../schema/opened-database.ts";
import type { Schema } from "../schema/schema.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";
import { openSqliteHandle, prepareSqliteFile, quickCheck } from "./sqlite-file.ts";
import { syncFile, syncFolder } from "./sync-to-disk.ts";

/** Throws a `StorageFailure` if it cannot be opened. Then nothing is left open, and the file is unchanged. */
export async function openSqlite(file: string, options: Required<OpenOptions>): Promise<Database> {
  prepareSqliteFile(file, options);
  const handles: SqliteHandle[] = [];
  const open = (access: "read" | "write") => {
    const handle = openSqliteHandle(file, { access, busyTimeoutMs: options.busyTimeoutMs });
    handles.push(handle);
    return new Kysely<Schema>({ dialect: sqliteDialect(handle), plugins: storagePlugins() });
  };
  const close = async () => {
    for (const handle of handles.splice(0)) handle.close(true);
  };
  try {
    const writer = open("write");
    await migrate(writer, options);
    const queue = new FairQueue();
    return {
      kind: "sqlite",
      reader: open("read"),
      writes: { kysely: writer, aside: writer, queue },
      hearOthers: null,
      close: () => queue.run(close),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function migrate(writer: Kysely<Schema>, options: Required<OpenOptions>): Promise<void> {
  const migration = { ...options, kind: "sqlite" } as const;
  const { current, pending } = await planMigrations(writer, migration);
  if (pending.length === 0) return;
  if (current !== null) await backupSqlite(writer, { backupDir: options.backupDir, name: current });
  await writer.transaction().execute((transaction) => applyMigrations(transaction, migration));
}

/** Writes `BACKUPDIR/NAME-N.db` with the next free N and returns its path. A half-made copy never has that name. */
async function backupSqlite(
  db: Kysely<Schema>,
  options: { readonly backupDir: string; readonly name: string },
): Promise<string> {
  mkdirSync(options.backupDir, { recursive: true, mode: 0o700 });
  const draft = join(options.backupDir, `${options.name}.part`);
  rmSync(draft, { force: true });
  try {
    await sql`vacuum into ${draft}`.execute(db);
    quickCheck(draft);
    syncFile(draft);
    const file = freeName(options);
    renameSync(draft, file);
    syncFolder(options.backupDir);
    return file;
  } finally {
    rmSync(draft, { force: true });
  }
}

function freeName({ backupDir, name }: { readonly backupDir: string; readonly name: string }): string {
  for (let n = 1; ; n++) {
    const file = join(backupDir, `${name}-${n}.db`);
    if (!existsSync(file)) return file;
  }
}
