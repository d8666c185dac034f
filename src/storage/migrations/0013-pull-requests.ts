/** Creates the table of pull requests: what their forges said last, and when they are asked again. */
import { sql } from "kysely";
import type { Migration } from "../schema/migrator.ts";

export const pullRequestTable: Migration = {
  async up(db, kind) {
    const ascii = kind === "postgres" ? sql`text collate "C"` : sql`text`;
    await sql`create table pull_requests (
      id ${ascii} primary key, attempt_id ${ascii} not null unique references attempts (id),
      api_url text not null, repository text not null, number integer, url text, state ${ascii}, draft integer not null,
      title text not null, head_branch text not null, head_sha ${ascii}, base_branch text not null,
      mergeable integer, merge_block text, merge_commit text, author text,
      checks text not null, threads text not null, wanted text, wrote text not null, handed text not null,
      trouble text, quiet integer not null, looked_at ${ascii}, look_at ${ascii}, created_at ${ascii} not null
    )`.execute(db);
    await sql`create index pull_requests_newest on pull_requests (created_at, id)`.execute(db);
    await sql`create index pull_requests_look on pull_requests (look_at)`.execute(db);
  },
};
