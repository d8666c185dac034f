/** Creates the table of the parts of logs that lie in object storage (ADR 0103). */
import { sql } from "kysely";
import type { Migration } from "../../schema/migrator.ts";

export const logPacks: Migration = {
  async up(db, kind) {
    // Text in ASCII that is compared, sorted or looked up: byte by byte in both databases.
    const ascii = kind === "postgres" ? sql`text collate "C"` : sql`text`;
    await sql`create table log_packs (
      run_id ${ascii} not null, worker_id ${ascii} not null, first integer not null, last integer not null,
      hash ${ascii} not null, place text not null, bytes bigint not null, at ${ascii} not null, primary key (run_id, worker_id, first)
    )`.execute(db);
    await sql`alter table log_series add column packed integer not null default 0`.execute(db);
    await sql`create index log_series_unpacked on log_series (at) where chunks > packed and removed_at is null`.execute(
      db,
    );
  },
};
