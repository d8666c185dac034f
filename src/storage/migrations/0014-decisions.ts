/** Creates the tables of decisions, and of comments on patches. */
import { sql } from "kysely";
import type { Migration } from "../schema/migrator.ts";

export const decisions: Migration = {
  async up(db, kind) {
    // Text in ASCII that is compared, sorted or looked up: byte by byte in both databases.
    const ascii = kind === "postgres" ? sql`text collate "C"` : sql`text`;
    const statements = [
      sql`create table decisions (
        id ${ascii} primary key, task_id ${ascii} not null references tasks (id),
        attempt_id ${ascii} not null references attempts (id), alternatives text not null, reason text not null,
        tripwire text, "by" text, issue text not null, evidence text not null, trashed text not null,
        at ${ascii} not null, replaced_at ${ascii}
      )`,
      sql`create index decisions_task on decisions (task_id, at, id)`,
      sql`create unique index decisions_current on decisions (task_id) where replaced_at is null`,
      sql`create table comments (
        id ${ascii} primary key, attempt_id ${ascii} not null references attempts (id),
        run_id ${ascii} references runs (id), author_kind ${ascii} not null, author text, path text not null,
        line integer, side ${ascii} not null, quoted text, severity ${ascii}, body text not null,
        state ${ascii} not null, sent_with ${ascii} references runs (id), at ${ascii} not null
      )`,
      sql`create index comments_attempt on comments (attempt_id, at, id)`,
    ];
    for (const statement of statements) await statement.execute(db);
  },
};
