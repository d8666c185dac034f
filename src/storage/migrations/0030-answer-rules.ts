/** Creates the table of the rules by which people allow the same again. */
import { sql } from "kysely";
import type { Migration } from "../schema/migrator.ts";

export const answerRules: Migration = {
  async up(db, kind) {
    // Text in ASCII that is compared, sorted or looked up: byte by byte in both databases.
    const ascii = kind === "postgres" ? sql`text collate "C"` : sql`text`;
    await sql`create table answer_rules (
      id ${ascii} primary key, repository_id ${ascii} not null references repositories (id), kind ${ascii} not null,
      text text not null, folder text not null, asks text not null, touches text not null,
      question_id ${ascii} not null, "by" text, at ${ascii} not null
    )`.execute(db);
    await sql`create index answer_rules_of on answer_rules (repository_id, at)`.execute(db);
  },
};
