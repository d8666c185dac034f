/** Creates the tables of the depot: where it is, and what it holds of each attempt. Workers get keys for it. */
import { sql } from "kysely";
import type { Migration } from "../schema/migrator.ts";

export const depot: Migration = {
  async up(db, kind) {
    // Text in ASCII that is compared, sorted or looked up: byte by byte in both databases.
    const ascii = kind === "postgres" ? sql`text collate "C"` : sql`text`;
    await sql`create table depot (id ${ascii} primary key, kind ${ascii} not null, url text not null)`.execute(
      db,
    );
    await sql`create table protections (
      attempt_id ${ascii} primary key, ref ${ascii}, sha ${ascii}, tree ${ascii}, base ${ascii}, run_id ${ascii},
      protected_at ${ascii}, unprotected_since ${ascii}, trouble text
    )`.execute(db);
    await sql`alter table workers add column depot_key ${ascii}`.execute(db);
  },
};
