/** Stores with a run why its agent was confined less than requested. */
import type { Migration } from "../schema/migrator.ts";

export const isolationReason: Migration = {
  async up(db) {
    await db.schema.alterTable("runs").addColumn("isolation_reason", "text").execute();
  },
};
