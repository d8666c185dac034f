/** Opens the database that holds Tazuna's facts, SQLite or Postgres, at the program's schema, or says why not. */
import { err, ok, type Result } from "neverthrow";
import { MIGRATIONS } from "./migrations/migrations.ts";
import type { Database, OpenOptions } from "./opened-database.ts";
import { openSqlite } from "./sqlite-database.ts";
import { type StorageError, storageErrorOf } from "./storage-error.ts";

export type { Database } from "./opened-database.ts";

export type DatabaseTarget =
  | { readonly kind: "sqlite" /** Absolute path; made when it is not there. */; readonly file: string }
  | {
      readonly kind: "postgres";
      /** `postgres://…`; never repeated in a message. */
      readonly url: string;
      /** The schema that holds the tables; made when it is not there. Absent: the login's own. */
      readonly schema?: string;
    };

/**
 * Opens the database, making or migrating it where needed. On SQLite the caller holds the engine lock meanwhile.
 * A damaged, locked, read-only, newer or unreachable database, or a full disk, is an error value; the file is then
 * as it was.
 */
export async function openDatabase(
  target: DatabaseTarget,
  options: OpenOptions,
): Promise<Result<Database, StorageError>> {
  const settled = { busyTimeoutMs: 5_000, migrations: MIGRATIONS, ...options };
  try {
    if (target.kind === "sqlite") return ok(await openSqlite(target.file, settled));
    const { openPostgres } = await import("./postgres-database.ts");
    return ok(await openPostgres({ url: target.url, schema: target.schema ?? null }, settled));
  } catch (error) {
    const known = storageErrorOf(error);
    if (known === null) throw error;
    return err(target.kind === "sqlite" ? naming(target.file, known) : known);
  }
}

/** The same error, with the file named in it. */
function naming(file: string, error: StorageError): StorageError {
  return error.message.includes(file) ? error : { ...error, message: `${file}: ${error.message}` };
}
