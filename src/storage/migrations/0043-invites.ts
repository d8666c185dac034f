/** Creates the table of invitations for workers. */
import { sql } from "kysely";
import type { Migration } from "../schema/migrator.ts";

export const invites: Migration = {
  async up(db, kind) {
    // Text in ASCII that is compared, sorted or looked up: byte by byte in both databases.
    const ascii = kind === "postgres" ? sql`text collate "C"` : sql`text`;
    await sql`create table invites (
      hash ${ascii} primary key, created_at ${ascii} not null, expires_at ${ascii} not null,
      used_at ${ascii}, used_by ${ascii}
    )`.execute(db);
  },
};
