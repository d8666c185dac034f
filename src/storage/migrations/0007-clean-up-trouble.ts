/** Stores with an attempt why its clean-up did not end. */
import type { Migration } from "../migrator.ts";

export const cleanUpTrouble: Migration = {
  async up(db) {
    await db.schema.alterTable("attempts").addColumn("clean_up", "text").execute();
  },
};
