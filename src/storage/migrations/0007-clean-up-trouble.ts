/** Stores with an attempt why its clean-up did not finish. */
import type { Migration } from "../schema/migrator.ts";

export const cleanUpTrouble: Migration = {
  async up(db) {
    await db.schema.alterTable("attempts").addColumn("clean_up", "text").execute();
  },
};
