/** Creates the tables of people and of their entries that have begun, and says whose browsers, tokens and codes are. */
import { sql } from "kysely";
import type { Migration } from "../../schema/migrator.ts";

export const people: Migration = {
  async up(db, kind) {
    // Text in ASCII that is compared, sorted or looked up: byte by byte in both databases.
    const ascii = kind === "postgres" ? sql`text collate "C"` : sql`text`;
    await sql`create table people (
      id ${ascii} primary key, issuer ${ascii} not null, subject ${ascii} not null, email ${ascii} not null,
      email_verified integer not null, name text not null, role ${ascii} not null, created_at ${ascii} not null,
      seen_at ${ascii} not null, removed_at ${ascii}, unique (issuer, subject)
    )`.execute(db);
    await sql`create table sign_in_flows (
      hash ${ascii} primary key, return_to text not null, expires_at ${ascii} not null
    )`.execute(db);
    for (const table of ["browsers", "access_tokens", "sign_in_codes"])
      await sql`alter table ${sql.table(table)} add column person_id ${ascii}`.execute(db);
  },
};
