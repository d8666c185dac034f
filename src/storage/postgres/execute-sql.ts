/** Runs SQL that another program made, on our pool or in our transaction: pg-boss keeps its jobs by it. */
import { CompiledQuery, sql } from "kysely";
import type { Reader } from "../schema/schema.ts";

type Rows = { readonly rows: readonly Record<string, unknown>[] };

/** A text without values may hold several statements. Then nothing is known of their rows. */
export function executeSql(db: Reader): (text: string, values: readonly unknown[]) => Promise<Rows> {
  // The plugins would change the names of columns.
  const plain = db.withoutPlugins();
  return (text, values) =>
    plain.isTransaction
      ? run(plain, text, values)
      : plain.connection().execute((one) => run(one, text, values));
}

const BEGINS = /^\s*begin\b/i;

async function run(
  connection: Pick<Reader, "executeQuery">,
  text: string,
  values: readonly unknown[],
): Promise<Rows> {
  try {
    return await connection.executeQuery<Record<string, unknown>>(CompiledQuery.raw(text, [...values]));
  } catch (error) {
    // Else the next user of the connection would find it in a transaction that has failed.
    if (BEGINS.test(text))
      await connection.executeQuery(CompiledQuery.raw("rollback")).catch(() => undefined);
    throw error;
  }
}

/** The schema of our tables. */
export async function schemaOf(db: Reader): Promise<string> {
  const { rows } = await sql<{ name: string }>`select current_schema() as name`.execute(db);
  return rows[0]?.name ?? "public";
}
