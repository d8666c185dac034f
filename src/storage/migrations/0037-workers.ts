/** Creates the table of the workers that share a database. */
import { sql } from "kysely";
import type { Migration } from "../schema/migrator.ts";

export const workers: Migration = {
  async up(db, kind) {
    // Text in ASCII that is compared, sorted or looked up: byte by byte in both databases.
    const ascii = kind === "postgres" ? sql`text collate "C"` : sql`text`;
    await sql`create table workers (
      id ${ascii} primary key, name ${ascii} not null unique, version text not null, slots integer not null,
      agents text not null, state ${ascii} not null, started_at ${ascii} not null, seen_at ${ascii} not null
    )`.execute(db);
  },
};
