/** Adds to comments their last line, and what the attempt had come to when they were made. */
import { sql } from "kysely";
import type { Migration } from "../schema/migrator.ts";

export const commentAnchors: Migration = {
  async up(db, kind) {
    const ascii = kind === "postgres" ? sql`text collate "C"` : sql`text`;
    await sql`alter table comments add column end_line integer`.execute(db);
    await sql`alter table comments add column tree ${ascii}`.execute(db);
  },
};
