/** Describes an open database, SQLite or Postgres, and the settings to open one. */
import type { Kysely } from "kysely";
import type { FairQueue } from "./fair-queue.ts";
import type { Migrations } from "./migrator.ts";
import type { Reader, Schema } from "./schema.ts";

export interface OpenOptions {
  /** The folder for copies of SQLite before its schema changes; made when it is needed. */
  readonly backupDir: string;
  /** Stored with the schema, and named if an older program refuses it. */
  readonly programVersion: string;
  /** How long SQLite waits for another program's lock; default 5,000. */
  readonly busyTimeoutMs?: number;
  /** How far an older schema may be changed: `additions` while others work on it. Else it is refused. Default `all`. */
  readonly mayMigrate?: "all" | "additions" | "nothing";
  /** Default: all migrations. Tests open databases of other ages. */
  readonly migrations?: Migrations;
}

/** Who hears of facts that other engines write. */
export interface FactsListener {
  /** There may be new facts of others. Several at once are told together. */
  readonly onNews: () => void;
  /** Called once for an outage. It goes on by itself. */
  readonly onError: (error: unknown) => void;
}

/**
 * Hears a channel of the database on the one session that an engine listens by. `onConnect` is called after that session
 * was opened, since what was told before is lost.
 */
export type ListenSql = (
  channel: string,
  onPayload: (payload: string) => void,
  onConnect: () => void,
) => Promise<{ close(): Promise<void> }>;

export interface Database {
  readonly kind: "sqlite" | "postgres";
  /** For reading; sees only committed data. */
  readonly reader: Reader;
  readonly writes: {
    /** For `transact` alone. */
    readonly kysely: Kysely<Schema>;
    readonly queue: FairQueue;
    /**
     * Writes what is no fact, and waits for no turn: leases, presence, requests. On a Postgres it has one connection of its
     * own. Neither slow reads nor a transaction that is stuck hold it up. Whoever holds it asks for no other one.
     */
    readonly aside: Kysely<Schema>;
  };
  /** Begins to listen until `stop`. Null if no other engine can write facts: an SQLite serves one engine alone. */
  readonly hearOthers: ((listener: FactsListener) => { stop(): Promise<void> }) | null;
  /** For a Postgres: heard from `hearOthers` on. */
  readonly listen?: ListenSql;
  /** Closes after all transactions that were requested before. */
  close(): Promise<void>;
}
