/** Creates the table of what checks came to on bases. */
import { sql } from "kysely";
import type { Migration } from "../schema/migrator.ts";

export const baseChecks: Migration = {
  async up(db, kind) {
    // Text in ASCII that is compared or looked up: byte by byte in both databases.
    const ascii = kind === "postgres" ? sql`text collate "C"` : sql`text`;
    await sql`create table base_checks (
      repository_id ${ascii} not null references repositories (id), base_sha ${ascii} not null, hash ${ascii} not null,
      name text not null, command text not null, outcome ${ascii} not null, exit_code integer,
      duration_ms integer not null, output text not null, at ${ascii} not null,
      primary key (repository_id, base_sha, hash)
    )`.execute(db);
  },
};
