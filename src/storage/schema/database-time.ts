/** Asks the database for its own time, so that the clocks of several machines are never compared. */
import { type Kysely, type RawBuilder, sql } from "kysely";
import { isPostgres } from "./kind-of.ts";
import type { Reader, Schema } from "./schema.ts";

/** The database's time when the statement runs, moved by `ms`, as times are stored. */
export function databaseTime(db: Pick<Kysely<Schema>, "getExecutor">, ms = 0): RawBuilder<string> {
  return isPostgres(db)
    ? sql<string>`to_char(timezone('UTC', clock_timestamp() + cast(${ms} as double precision) * interval '1 millisecond'), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
    : sql<string>`strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ${`${ms / 1000} seconds`})`;
}

/** What the database's clock says now, UTC ISO. */
export async function timeOf(db: Reader): Promise<string> {
  const { now } = await db.selectNoFrom([databaseTime(db).as("now")]).executeTakeFirstOrThrow();
  return now;
}
