/** Speaks SQLite through `bun:sqlite` for Kysely: one connection, whose transactions begin with the write lock. */
import type { SQLQueryBindings, Database as SqliteHandle } from "bun:sqlite";
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import { asStorageFailure } from "../schema/storage-error.ts";

/** The dialect over one open handle, which its owner closes: Kysely does not close it if no query ran. */
export function sqliteDialect(handle: SqliteHandle): Dialect {
  return {
    createDriver: () => driverOf(new SqliteConnection(handle)),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
  };
}

/** Every transaction takes the one connection. */
function driverOf(connection: SqliteConnection): Driver {
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    beginTransaction: async () => connection.begin(),
    commitTransaction: async () => connection.commit(),
    rollbackTransaction: async () => connection.rollback(),
    releaseConnection: async () => {},
    destroy: async () => {},
  };
}

/**
 * One connection. Like Postgres, and unlike plain SQLite, it cannot commit a transaction with a failed statement. No
 * transaction continues after SQLite has rolled it back (a full disk does that).
 */
class SqliteConnection implements DatabaseConnection {
  readonly #handle: SqliteHandle;
  #transaction: "none" | "open" | "failed" = "none";

  constructor(handle: SqliteHandle) {
    this.#handle = handle;
  }

  begin(): void {
    if (this.#transaction !== "none") throw new Error("a transaction is already open on this connection");
    this.#run("begin immediate", []);
    this.#transaction = "open";
  }

  commit(): void {
    if (this.#transaction === "failed")
      throw new Error("a statement of this transaction failed; it cannot be committed");
    this.#run("commit", []);
    this.#transaction = "none";
  }

  rollback(): void {
    this.#transaction = "none";
    if (this.#handle.inTransaction) this.#run("rollback", []);
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#transaction === "failed") throw new Error("an earlier statement of this transaction failed");
    try {
      return this.#run<Row>(query.sql, query.parameters as SQLQueryBindings[]);
    } catch (error) {
      if (this.#transaction === "open") this.#transaction = "failed";
      throw error;
    }
  }

  // biome-ignore lint/correctness/useYield: Kysely asks for the method; nothing here reads row by row.
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error("rows are read in pages, not streamed");
  }

  /** Statements are closed at once: an open one would prevent the file from being closed. */
  #run<Row>(sql: string, parameters: SQLQueryBindings[]): QueryResult<Row> {
    try {
      using statement = this.#handle.prepare(sql);
      if (statement.columnNames.length > 0) return { rows: statement.all(...parameters) as Row[] };
      return { rows: [], numAffectedRows: BigInt(statement.run(...parameters).changes) };
    } catch (error) {
      throw asStorageFailure(error);
    }
  }
}
