/** Creates the table of drafts: what a person has typed into a form and not sent yet. */
import { sql } from "kysely";
import type { Migration } from "../schema/migrator.ts";

export const drafts: Migration = {
  async up(db, kind) {
    const ascii = kind === "postgres" ? sql`text collate "C"` : sql`text`;
    await sql`create table drafts (
      name ${ascii} primary key, content text not null, updated_at ${ascii} not null
    )`.execute(db);
  },
};
