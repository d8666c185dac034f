/** Stores with a task what the environment of whoever created it sets. */
import type { Migration } from "../migrator.ts";

export const taskSettings: Migration = {
  async up(db) {
    await db.schema
      .alterTable("tasks")
      .addColumn("settings", "text", (column) => column.notNull().defaultTo("{}"))
      .execute();
  },
};
