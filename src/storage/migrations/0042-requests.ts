/** Creates the table of what workers ask each other. What it holds is of no use after a crash of the database. */
import { sql } from "kysely";
import type { Migration } from "../schema/migrator.ts";

export const requests: Migration = {
  async up(db, kind) {
    const isPostgres = kind === "postgres";
    // Text in ASCII that is compared, sorted or looked up: byte by byte in both databases.
    const ascii = isPostgres ? sql`text collate "C"` : sql`text`;
    await sql`create ${isPostgres ? sql`unlogged` : sql``} table requests (
      id ${ascii} primary key, worker_id ${ascii} not null, asked_by ${ascii} not null, call text not null,
      created_at ${ascii} not null, taken_at ${ascii}, answered_at ${ascii}, answer text
    )`.execute(db);
  },
};
