/** Lets workers drain and be removed. The name of a removed one may be taken again. */
import { sql } from "kysely";
import type { Migration } from "../schema/migrator.ts";

export const drains: Migration = {
  async up(db, kind) {
    // Text in ASCII that is compared, sorted or looked up: byte by byte in both databases.
    const ascii = kind === "postgres" ? sql`text collate "C"` : sql`text`;
    // SQLite takes no constraint away. Its table has no rows, since it serves one engine alone.
    if (kind === "postgres")
      await sql`alter table workers drop constraint if exists workers_name_key`.execute(db);
    else {
      await sql`drop table workers`.execute(db);
      await sql`create table workers (
        id ${ascii} primary key, name ${ascii} not null, version text not null, slots integer not null,
        agents text not null, state ${ascii} not null, started_at ${ascii} not null, seen_at ${ascii} not null
      )`.execute(db);
    }
    for (const column of ["draining_since", "drain_by", "drain_until", "removed_at"])
      await sql`alter table workers add column ${sql.ref(column)} ${ascii}`.execute(db);
    await sql`create unique index workers_name on workers (name) where removed_at is null`.execute(db);
  },
};
