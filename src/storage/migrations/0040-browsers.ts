/** Creates the table of browsers that are signed in. */
import { sql } from "kysely";
import type { Migration } from "../schema/migrator.ts";

export const browsers: Migration = {
  async up(db, kind) {
    // Text in ASCII that is compared, sorted or looked up: byte by byte in both databases.
    const ascii = kind === "postgres" ? sql`text collate "C"` : sql`text`;
    await sql`create table browsers (
      id ${ascii} primary key, hash ${ascii} not null unique, user_agent text not null,
      worker_id ${ascii} not null, created_at ${ascii} not null, last_seen_at ${ascii} not null,
      expires_at ${ascii} not null, signed_out_at ${ascii}
    )`.execute(db);
  },
};
