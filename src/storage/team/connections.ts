/** Asks a Postgres how many further connections it accepts. */
import { sql } from "kysely";
import type { Reader } from "../schema/schema.ts";

/** `most`: as its settings say, without what it keeps for its own superusers. */
export async function freeConnections(db: Reader): Promise<{ readonly free: number; readonly most: number }> {
  const { rows } = await sql<{ most: number; used: number }>`select
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most,
    (select count(*)::int from pg_stat_activity where usesysid is not null) as used`.execute(db);
  const { most = 0, used = 0 } = rows[0] ?? {};
  return { free: most - used, most };
}
