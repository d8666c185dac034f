/** Creates the tables of what a person has looked at: files of patches, and runs. */
import { sql } from "kysely";
import type { Migration } from "../schema/migrator.ts";

export const viewed: Migration = {
  async up(db, kind) {
    // Text in ASCII that is compared or looked up: byte by byte in both databases.
    const ascii = kind === "postgres" ? sql`text collate "C"` : sql`text`;
    await sql`create table viewed_files (
      attempt_id ${ascii} not null references attempts (id), path text not null, mark ${ascii} not null,
      at ${ascii} not null, primary key (attempt_id, path)
    )`.execute(db);
    await sql`create table seen_runs (
      attempt_id ${ascii} primary key references attempts (id), run_id ${ascii} not null references runs (id),
      at ${ascii} not null
    )`.execute(db);
  },
};
