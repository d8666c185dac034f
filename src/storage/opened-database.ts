/** Describes a database that is open, SQLite or Postgres, and what opening one needs. */
import type { Kysely } from "kysely";
import type { FairQueue } from "./fair-queue.ts";
import type { Migrations } from "./migrator.ts";
import type { Reader, Schema } from "./schema.ts";

export interface OpenOptions {
  /** Where SQLite is copied to before its schema changes; made when it is needed. */
  readonly backupDir: string;
  /** Stored with the schema, and named when an older program refuses it. */
  readonly programVersion: string;
  /** How long SQLite waits for another program's lock; 5,000 unless told. */
  readonly busyTimeoutMs?: number;
  /** All of them unless told; tests open databases of other ages. */
  readonly migrations?: Migrations;
}

export interface Database {
  readonly kind: "sqlite" | "postgres";
  /** For reading; sees only what was committed. */
  readonly reader: Reader;
  /** For `transact` alone. */
  readonly writes: { readonly kysely: Kysely<Schema>; readonly queue: FairQueue };
  /** Closes after the transactions that were asked for before. */
  close(): Promise<void>;
}
