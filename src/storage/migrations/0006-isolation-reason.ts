/** Stores with a run why less held its agent than was asked for. */
import type { Migration } from "../migrator.ts";

export const isolationReason: Migration = {
  async up(db) {
    await db.schema.alterTable("runs").addColumn("isolation_reason", "text").execute();
  },
};
