/** Creates the table of what people did to their team (ADR 0107). */
import { sql } from "kysely";
import type { Migration } from "../../schema/migrator.ts";

export const teamActs: Migration = {
  async up(db, kind) {
    // Text in ASCII that is compared, sorted or looked up: byte by byte in both databases.
    const ascii = kind === "postgres" ? sql`text collate "C"` : sql`text`;
    await sql`create table team_acts (
      id ${ascii} primary key, kind ${ascii} not null, subject_id ${ascii}, name text not null, detail text,
      actor text, at ${ascii} not null
    )`.execute(db);
    await sql`create index team_acts_newest on team_acts (at, id)`.execute(db);
  },
};
