/** Creates the table of the questions that agents ask. */
import { sql } from "kysely";
import type { Migration } from "../schema/migrator.ts";

export const questions: Migration = {
  async up(db, kind) {
    // Text in ASCII that is compared, sorted or looked up: byte by byte in both databases.
    const ascii = kind === "postgres" ? sql`text collate "C"` : sql`text`;
    await sql`create table questions (
      id ${ascii} primary key, run_id ${ascii} not null references runs (id),
      attempt_id ${ascii} not null references attempts (id), start integer not null, "key" text not null,
      source ${ascii} not null, words text not null, command text, folder text, touches text not null,
      rule text not null, options text not null, hash ${ascii} not null, asked_at ${ascii} not null, answer text,
      closed ${ascii}, closed_at ${ascii}, parked_at ${ascii}, delivered_at ${ascii}, repeats ${ascii},
      constraint questions_key unique (run_id, start, "key")
    )`.execute(db);
    await sql`create index questions_open on questions (run_id) where closed is null`.execute(db);
  },
};
