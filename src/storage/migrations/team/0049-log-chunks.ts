/** Creates the tables of what workers sent of the logs of their runs (ADR 0094). Without other workers both stay empty. */
import { sql } from "kysely";
import type { Migration } from "../../schema/migrator.ts";

export const logChunks: Migration = {
  async up(db, kind) {
    const isPostgres = kind === "postgres";
    // Text in ASCII that is compared, sorted or looked up: byte by byte in both databases.
    const ascii = isPostgres ? sql`text collate "C"` : sql`text`;
    const bytes = isPostgres ? sql`bytea` : sql`blob`;
    await sql`create table log_series (
      run_id ${ascii} not null, worker_id ${ascii} not null, first_epoch integer not null, epoch integer not null,
      chunks integer not null, bytes bigint not null, sent text not null, launch text, state ${ascii} not null,
      at ${ascii} not null, removed_at ${ascii}, primary key (run_id, worker_id)
    )`.execute(db);
    await sql`create table log_chunks (
      run_id ${ascii} not null, worker_id ${ascii} not null, number integer not null, file ${ascii} not null,
      from_byte bigint not null, to_byte bigint not null, epoch integer not null, at ${ascii} not null,
      bytes ${bytes} not null, primary key (run_id, worker_id, number)
    )`.execute(db);
    // They are compressed already.
    if (isPostgres) await sql`alter table log_chunks alter column bytes set storage external`.execute(db);
  },
};
