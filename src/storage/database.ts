/** Opens Tazuna's database, SQLite or Postgres, at the program's schema, or says why not. */
import { err, ok, type Result } from "neverthrow";
import { MIGRATIONS } from "./migrations/migrations.ts";
import type { Database, OpenOptions } from "./schema/opened-database.ts";
import { type StorageError, storageErrorOf, withFile } from "./schema/storage-error.ts";
import { openSqlite } from "./sqlite/sqlite-database.ts";

export type DatabaseTarget =
  | { readonly kind: "sqlite" /** Absolute path; made when it is not there. */; readonly file: string }
  | {
      readonly kind: "postgres";
      /** `postgres://…`; never repeated in a message. */
      readonly url: string;
      /** The schema of the tables; made if it does not exist. Absent: the login's own. */
      readonly schema?: string;
    };

/**
 * Opens the database, and makes or migrates it if needed. On SQLite the caller holds the engine lock meanwhile. A
 * damaged, locked, read-only, newer or unreachable database, or a full disk, is an error value. The file is then
 * unchanged.
 */
export async function openDatabase(
  target: DatabaseTarget,
  options: OpenOptions,
): Promise<Result<Database, StorageError>> {
  const settled = { busyTimeoutMs: 5_000, mayMigrate: "all" as const, migrations: MIGRATIONS, ...options };
  try {
    if (target.kind === "sqlite") return ok(await openSqlite(target.file, settled));
    const { openPostgres } = await import("./postgres/postgres-database.ts");
    return ok(await openPostgres({ url: target.url, schema: target.schema ?? null }, settled));
  } catch (error) {
    const known = storageErrorOf(error);
    if (known === null) throw error;
    return err(target.kind === "sqlite" ? withFile(target.file, known) : known);
  }
}
