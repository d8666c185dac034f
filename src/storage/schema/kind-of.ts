/** Says by which kind of database a query is answered. */
import { type Kysely, PostgresAdapter } from "kysely";
import type { Schema } from "./schema.ts";

export function isPostgres(db: Pick<Kysely<Schema>, "getExecutor">): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}
