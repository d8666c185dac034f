/** Opens a pool of connections to Postgres that reads values as SQLite does and names failures. */
import { PostgresDialect, type PostgresPool } from "kysely";
import { type ClientConfig, Pool, type PoolClient, types } from "pg";
import {
  asStorageFailure,
  isSilence,
  StorageFailure,
  storageError,
  storageErrorOf,
} from "../schema/storage-error.ts";

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

interface PoolOptions {
  readonly isPatient: boolean;
  /** Holds the server's numbers of the connections that are open. */
  readonly sessions?: Set<number>;
}

/**
 * A dialect over a new pool. The address is used unchanged; nothing connects before the first query. `patient`
 * statements take as long as they need, as a change of the schema may.
 */
export function postgresDialect(
  target: PostgresTarget,
  { isPatient, sessions = new Set() }: PoolOptions,
): PostgresDialect {
  const pool = new Pool({
    ...clientConfig(target),
    ...(isPatient ? { max: 1 } : { max: 8, query_timeout: STATEMENT_MS }),
    // A transaction waits only for the database. An idle one is a fault, and ends after this time.
    idle_in_transaction_session_timeout: 30_000,
    types: { getTypeParser: (oid, format) => parserOf(oid, format) },
  });
  // A connection that breaks between two queries must not end the process. The next query reports the error.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => {
    client.on("error", () => undefined);
    sessions.add(sessionOf(client));
  });
  pool.on("remove", (client) => sessions.delete(sessionOf(client)));
  return new PostgresDialect({ pool: namingFailures(pool) });
}

/** The number that the server gave the connection. The types of `pg` do not name it. */
function sessionOf(client: PoolClient): number {
  return (client as unknown as { readonly processID: number }).processID;
}

/** The settings of every connection. */
export function clientConfig(target: PostgresTarget): ClientConfig {
  return {
    connectionString: target.url,
    connectionTimeoutMillis: 10_000,
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

function namingFailures(pool: Pool): PostgresPool {
  const wrapped = new WeakMap<PoolClient, object>();
  return {
    options: pool.options,
    end: () => pool.end(),
    connect: async () => {
      const client = await pool.connect().catch(rethrowAsUnreachable);
      const known = wrapped.get(client) ?? guarded(client);
      wrapped.set(client, known);
      return known;
    },
  } as PostgresPool;
}

/** A connection that did not answer once is asked nothing more, and is not used again. */
function guarded(client: PoolClient) {
  let silence: unknown = null;
  const failed = (error: unknown): never => {
    if (isSilence(error)) silence = asStorageFailure(error);
    throw asStorageFailure(error);
  };
  return {
    query: (text: string, parameters: unknown[]) =>
      silence === null ? client.query(text, parameters).catch(failed) : Promise.reject(silence),
    release: (discard?: boolean) => client.release(discard === true || silence !== null),
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
