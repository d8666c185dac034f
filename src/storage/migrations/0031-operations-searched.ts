/** Adds to operations the commands that were run, and lets them be listed by their kind without a scan. */
import type { Migration } from "../schema/migrator.ts";

export const operationsSearched: Migration = {
  async up(db) {
    await db.schema.alterTable("operations").addColumn("commands", "text").execute();
    await db.schema.createIndex("operations_kind").on("operations").columns(["kind", "at", "id"]).execute();
  },
};
