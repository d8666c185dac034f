/** Creates the table of the worktrees that lost workers still had when they came back (ADR 0097). */
import { sql } from "kysely";
import type { Migration } from "../../schema/migrator.ts";

export const leftWorktrees: Migration = {
  async up(db, kind) {
    // Text in ASCII that is compared, sorted or looked up: byte by byte in both databases.
    const ascii = kind === "postgres" ? sql`text collate "C"` : sql`text`;
    await sql`create table left_worktrees (
      attempt_id ${ascii} not null, worker_id ${ascii} not null, path text not null, sha ${ascii} not null,
      base ${ascii} not null, files integer not null, not_contained text not null, state ${ascii} not null,
      taken_at ${ascii} not null, ended_at ${ascii}, primary key (attempt_id, worker_id)
    )`.execute(db);
    await sql`create index left_worktrees_of_worker on left_worktrees (worker_id)`.execute(db);
  },
};
