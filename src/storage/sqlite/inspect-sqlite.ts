/** Inspects a SQLite database without changing it: whether it is intact and how old its schema is; and reads it. */
import { constants, Database as SqliteHandle } from "bun:sqlite";
import { statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { Kysely } from "kysely";
import { MIGRATIONS } from "../migrations/migrations.ts";
import { storagePlugins } from "../schema/column-values.ts";
import { FairQueue } from "../schema/fair-queue.ts";
import { planMigrations } from "../schema/migrator.ts";
import type { Database } from "../schema/opened-database.ts";
import type { Schema } from "../schema/schema.ts";
import { corrupt, type StorageError, storageErrorOf, withFile } from "../schema/storage-error.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";
import { proveIntact } from "./sqlite-file.ts";

type SqliteState =
  /** Every write to `db` fails; the caller closes it. */
  | { readonly state: "sound"; readonly db: Database }
  /** The next engine migrates an older one to the program's schema. */
  | { readonly state: "older" | "absent" }
  | { readonly state: "unusable"; readonly error: StorageError };

interface InspectOptions {
  readonly programVersion: string;
  /** An engine uses it, so it may change meanwhile. */
  readonly inUse: boolean;
}

/** `file` is absolute. */
export async function inspectSqlite(file: string, options: InspectOptions): Promise<SqliteState> {
  try {
    const there = statSync(file, { throwIfNoEntry: false });
    if (there === undefined) return { state: "absent" };
    if (there.size === 0) throw corrupt(`The database ${file} is empty.`);
    return await read(file, options);
  } catch (error) {
    const known = storageErrorOf(error);
    if (known === null) throw error;
    return { state: "unusable", error: withFile(file, known) };
  }
}

async function read(file: string, { programVersion, inUse }: InspectOptions): Promise<SqliteState> {
  const handle = new SqliteHandle(addressOf(file, inUse), READING);
  const reader = new Kysely<Schema>({ dialect: sqliteDialect(handle), plugins: storagePlugins() });
  const close = async () => handle.close(true);
  try {
    handle.run("pragma busy_timeout = 5000");
    proveIntact(handle, file);
    const plan = await planMigrations(reader, { kind: "sqlite", migrations: MIGRATIONS, programVersion });
    if (plan.pending.length > 0) {
      await close();
      return { state: "older" };
    }
    return {
      state: "sound",
      db: {
        kind: "sqlite",
        reader,
        writes: { kysely: reader, aside: reader, queue: new FairQueue() },
        hearOthers: null,
        close,
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const READING = constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI;

/**
 * SQLite would create a log and its index beside a file that it reads. It does not if it is told that the file has no
 * writers.
 */
function addressOf(file: string, inUse: boolean): string {
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  const { href } = pathToFileURL(file);
  return inUse || log > 0 ? href : `${href}?immutable=1`;
}
