/** Runs one writing transaction: all of it or nothing, one at a time, so that facts appear in the order of their numbers. */
import { AsyncLocalStorage } from "node:async_hooks";
import { sql } from "kysely";
import type { Database } from "./database.ts";
import type { WriteTransaction } from "./schema.ts";
import { isTransient } from "./storage-error.ts";

const MOST_TRIES = 3;

/**
 * Runs `fn` in a transaction and answers what it answered, once that is on disk. Throws what `fn` throws, after
 * undoing everything, and a `StorageFailure` where the database failed. `fn` awaits nothing but the database and
 * changes nothing else: where another program interfered (busy, deadlock, serialization), it is run again, at most
 * three times in all. A transaction inside another one is refused, since it would wait for ever.
 */
export async function transact<T>(db: Database, fn: (trx: WriteTransaction) => Promise<T>): Promise<T> {
  const outer = current.getStore();
  if (outer?.db === db && outer.open)
    throw new Error("transact was called inside transact; hand the transaction on instead");
  const mark = { db, open: true };
  try {
    return await current.run(mark, () => db.writes.queue.run(() => withRetries(() => once(db, fn))));
  } finally {
    mark.open = false;
  }
}

/** Only guards against waiting for oneself; no value travels by it. */
const current = new AsyncLocalStorage<{ readonly db: Database; open: boolean }>();

async function withRetries<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (tries === MOST_TRIES || !isTransient(error)) throw error;
    }
  }
}

/**
 * On Postgres a later number of a fact could become visible before an earlier one. Whoever holds this lock is the
 * only one that writes, from before its first number until after its commit.
 */
const WRITE_LOCK = 7_268_002;

function once<T>(db: Database, fn: (trx: WriteTransaction) => Promise<T>): Promise<T> {
  return db.writes.kysely.transaction().execute(async (transaction) => {
    if (db.kind === "postgres")
      await sql`select pg_advisory_xact_lock(${sql.lit(WRITE_LOCK)}, hashtext(current_schema()))`.execute(
        transaction,
      );
    return fn(transaction as WriteTransaction);
  });
}
