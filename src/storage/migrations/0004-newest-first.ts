/** Lets attempts and runs of all tasks be listed newest first without a scan of all of them. */
import type { Migration } from "../schema/migrator.ts";

export const newestFirst: Migration = {
  async up(db) {
    for (const table of ["attempts", "runs"])
      await db.schema.createIndex(`${table}_newest`).on(table).columns(["created_at", "id"]).execute();
  },
};
