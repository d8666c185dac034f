/** Adds what workers of two versions know of each other (ADR 0100): their protocols, what runs need, and clocks. */
import { sql } from "kysely";
import type { Migration } from "../../schema/migrator.ts";

export const protocols: Migration = {
  async up(db) {
    for (const change of [
      sql`alter table workers add column protocol integer not null default 1`,
      sql`alter table workers add column clock_ms integer`,
      sql`alter table runs add column needs_protocol integer`,
    ])
      await change.execute(db);
  },
};
