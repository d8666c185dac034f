/** Creates the table of access tokens. */
import { sql } from "kysely";
import type { Migration } from "../schema/migrator.ts";

export const accessTokens: Migration = {
  async up(db, kind) {
    // Text in ASCII that is compared, sorted or looked up: byte by byte in both databases.
    const ascii = kind === "postgres" ? sql`text collate "C"` : sql`text`;
    await sql`create table access_tokens (
      id ${ascii} primary key, name text not null unique, scope ${ascii} not null, hash ${ascii} not null unique,
      created_at ${ascii} not null, expires_at ${ascii} not null, used_at ${ascii}
    )`.execute(db);
  },
};
