/** Runs one writing transaction at a time, all or nothing, so that facts appear in order of their numbers. */
import { AsyncLocalStorage } from "node:async_hooks";
import { sql } from "kysely";
import type { Database } from "./schema/opened-database.ts";
import type { WriteTransaction } from "./schema/schema.ts";
import { isTransient } from "./schema/storage-error.ts";

const MAX_TRIES = 3;

/**
 * Runs `fn` in a transaction and returns its result, once that is on disk. Throws what `fn` throws, after undoing
 * everything, and a `StorageFailure` if the database failed. `fn` awaits only the database and changes nothing else,
 * since it may run again. It does so, at most three times in all, if another program interfered (busy, deadlock,
 * serialization). A nested transaction is refused, since it would never end.
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

/** Only prevents a transaction from waiting for itself; it carries no value. */
const current = new AsyncLocalStorage<{ readonly db: Database; open: boolean }>();

async function withRetries<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (tries === MAX_TRIES || !isTransient(error)) throw error;
    }
  }
}

/**
 * On Postgres, a later fact number could become visible before an earlier one. The holder of this lock is the only
 * writer, from before its first number until after its commit.
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
