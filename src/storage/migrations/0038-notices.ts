/** Creates the table of who tells a webhook of which fact. */
import { sql } from "kysely";
import type { Migration } from "../schema/migrator.ts";

export const notices: Migration = {
  async up(db, kind) {
    // Text in ASCII that is compared, sorted or looked up: byte by byte in both databases.
    const ascii = kind === "postgres" ? sql`text collate "C"` : sql`text`;
    await sql`create table notices (
      hook ${ascii} not null, seq bigint not null, worker_id ${ascii} not null, until ${ascii} not null,
      over_at ${ascii}, primary key (hook, seq)
    )`.execute(db);
  },
};
