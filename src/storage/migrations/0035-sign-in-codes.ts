/** Creates the table of sign-in codes. */
import { sql } from "kysely";
import type { Migration } from "../schema/migrator.ts";

export const signInCodes: Migration = {
  async up(db, kind) {
    // Text in ASCII that is compared, sorted or looked up: byte by byte in both databases.
    const ascii = kind === "postgres" ? sql`text collate "C"` : sql`text`;
    await sql`create table sign_in_codes (
      linked ${ascii} primary key, typed ${ascii} not null unique, expires_at ${ascii} not null
    )`.execute(db);
  },
};
