/** Stores when a repository was removed from the list. */
import type { Migration } from "../schema/migrator.ts";

export const removedRepositories: Migration = {
  async up(db) {
    await db.schema.alterTable("repositories").addColumn("removed_at", "text").execute();
  },
};
