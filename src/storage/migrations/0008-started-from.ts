/** Stores with an attempt the name of its base, and how the person's checkout differed from it. */
import type { Migration } from "../schema/migrator.ts";

export const startedFrom: Migration = {
  async up(db) {
    await db.schema.alterTable("attempts").addColumn("started_from", "text").execute();
  },
};
