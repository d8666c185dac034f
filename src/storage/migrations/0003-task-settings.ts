/** Stores with a task the settings from its creator's environment. */
import type { Migration } from "../schema/migrator.ts";

export const taskSettings: Migration = {
  async up(db) {
    await db.schema
      .alterTable("tasks")
      .addColumn("settings", "text", (column) => column.notNull().defaultTo("{}"))
      .execute();
  },
};
