/** Stores with an attempt its changes against its base. */
import type { Migration } from "../schema/migrator.ts";

export const attemptPatch: Migration = {
  async up(db) {
    await db.schema.alterTable("attempts").addColumn("patch", "text").execute();
  },
};
