/** Opens connections to Postgres that read values as SQLite does and name failures. */
import { PostgresDialect, type PostgresPool } from "kysely";
import { type ClientBase, type ClientConfig, Pool, type PoolClient, types } from "pg";
import {
  asStorageFailure,
  isSilence,
  StorageFailure,
  storageError,
  storageErrorOf,
} from "../schema/storage-error.ts";
import type { Seats } from "./seats.ts";

export interface PostgresTarget {
  readonly url: string;
  /** The schema of the tables; null is the login's own. */
  readonly schema: string | null;
}

/**
 * How long one statement may take. A connection that was dropped without a word would be waited for without end: the
 * system alone gives it up after a quarter of an hour.
 */
export const STATEMENT_MS = 10_000;
/** How long a connection is waited for. */
export const CONNECT_MS = 10_000;

const ASK_OFTEN =
  "set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3";

/**
 * A machine that loses its power says nothing, and the server asks it after two hours alone. Until then it would hold
 * its locks and its connections, and its own next start would be refused. A server that cannot be told goes on as it is.
 */
export async function askedOften(client: ClientBase): Promise<void> {
  await client.query(ASK_OFTEN).catch((error: unknown) => {
    if (isSilence(error)) throw error;
  });
}

interface PoolOptions {
  /** How many connections at most. */
  readonly max: number;
  /** Its statements take as long as they need, as a change of the schema may. */
  readonly isPatient?: true;
  /** A connection stays open also while nobody uses it. */
  readonly isKept?: true;
  /** Holds the server's numbers of the connections that are open. */
  readonly sessions: Set<number>;
}

/** The address is used unchanged; nothing connects before the first query. */
export function postgresPool(
  target: PostgresTarget,
  { max, isPatient, isKept, sessions }: PoolOptions,
): Pool {
  const pool = new Pool({
    ...clientConfig(target),
    max,
    ...(isPatient ? {} : { query_timeout: STATEMENT_MS }),
    ...(isKept ? { idleTimeoutMillis: 0 } : {}),
    // A transaction waits only for the database. An idle one is a fault, and ends after this time.
    idle_in_transaction_session_timeout: 30_000,
    onConnect: askedOften,
    types: { getTypeParser: (oid, format) => parserOf(oid, format) },
  });
  // A connection that breaks between two queries must not end the process. The next query reports the error.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => {
    client.on("error", () => undefined);
    sessions.add(sessionOf(client));
  });
  pool.on("remove", (client) => sessions.delete(sessionOf(client)));
  return pool;
}

/** Whoever uses it holds at most as many connections of the pool at once as there are seats. */
export function postgresDialect(pool: Pool, seats: Seats | null = null): PostgresDialect {
  return new PostgresDialect({ pool: namingFailures(pool, seats) });
}

/** The number that the server gave the connection. The types of `pg` do not name it. */
function sessionOf(client: PoolClient): number {
  return (client as unknown as { readonly processID: number }).processID;
}

/** The settings of every connection. */
export function clientConfig(target: PostgresTarget): ClientConfig {
  return {
    connectionString: target.url,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    application_name: "tazuna",
    ...(target.schema === null ? {} : { options: `-c search_path=${optionWord(target.schema)}` }),
  };
}

/** A quoted name as one word of the connection's options, in which blanks separate words. */
function optionWord(name: string): string {
  return `"${name.replaceAll('"', '""')}"`.replace(/[\\\s]/g, "\\$&");
}

const INT8 = 20;

/** 64-bit numbers are fact numbers and counts. They fit a number; a larger one is refused. */
function parserOf(oid: number, format?: "text" | "binary") {
  if (oid !== INT8) return types.getTypeParser(oid, format);
  return (text: string) => {
    const value = Number(text);
    if (!Number.isSafeInteger(value)) throw new Error(`the number ${text} is too large`);
    return value;
  };
}

function namingFailures(pool: Pool, seats: Seats | null): PostgresPool {
  return {
    options: pool.options,
    end: async () => {
      if (!pool.ending) await pool.end();
    },
    connect: async () => {
      const leave = (await seats?.enter().catch(rethrowAsUnreachable)) ?? (() => undefined);
      try {
        const client = await pool.connect().catch(rethrowAsUnreachable);
        return guarded(client, leave);
      } catch (error) {
        leave();
        throw error;
      }
    },
  } as PostgresPool;
}

/** A connection that did not answer once is asked nothing more, and is not used again. */
function guarded(client: PoolClient, leave: () => void): object {
  let silence: unknown = null;
  const failed = (error: unknown): never => {
    if (isSilence(error)) silence = asStorageFailure(error);
    throw asStorageFailure(error);
  };
  return {
    query: (text: string, parameters: unknown[]) =>
      silence === null ? client.query(text, parameters).catch(failed) : Promise.reject(silence),
    release: (discard?: boolean) => {
      client.release(discard === true || silence !== null);
      leave();
    },
  };
}

/** If a connection fails for any reason (a refused login, a certificate), the database counts as unreachable. */
export function rethrowAsUnreachable(error: unknown): never {
  const known = storageErrorOf(error);
  if (known?.code === "database_unreachable") throw asStorageFailure(error);
  const reason = error instanceof Error ? error.message : String(error);
  throw new StorageFailure(
    storageError("database_unreachable", `The database cannot be reached (${reason}).`),
    { cause: error },
  );
}
