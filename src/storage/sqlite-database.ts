/** Opens Tazuna's database on SQLite: one connection that writes, one that reads, and a backup before its schema changes. */
import type { Database as SqliteHandle } from "bun:sqlite";
import { Kysely } from "kysely";
import { ColumnValues } from "./column-values.ts";
import { FairQueue } from "./fair-queue.ts";
import { applyMigrations, planMigrations } from "./migrator.ts";
import type { Database, OpenOptions } from "./opened-database.ts";
import type { Schema } from "./schema.ts";
import { backupSqlite } from "./sqlite-backup.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";
import { openSqliteHandle, prepareSqliteFile } from "./sqlite-file.ts";

/** Throws a `StorageFailure` where it cannot be opened; nothing is left open then, and the file is as it was. */
export async function openSqlite(file: string, options: Required<OpenOptions>): Promise<Database> {
  prepareSqliteFile(file, options);
  const handles: SqliteHandle[] = [];
  const open = (access: "read" | "write") => {
    const handle = openSqliteHandle(file, { access, busyTimeoutMs: options.busyTimeoutMs });
    handles.push(handle);
    return new Kysely<Schema>({ dialect: sqliteDialect(handle), plugins: [new ColumnValues()] });
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
      writes: { kysely: writer, queue },
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
