/** Adds what a worker is good for, and what a task asks of its worker (ADR 0102). */
import type { Migration } from "../../schema/migrator.ts";

export const labels: Migration = {
  async up(db) {
    await db.schema
      .alterTable("workers")
      .addColumn("labels", "text", (column) => column.notNull().defaultTo("[]"))
      .execute();
    await db.schema
      .alterTable("tasks")
      .addColumn("on_labels", "text", (column) => column.notNull().defaultTo("[]"))
      .execute();
  },
};
