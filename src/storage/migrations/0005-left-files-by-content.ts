/** Forgets the mere names of what earlier checks left: without its content nobody can tell whether a file is still the same. */
import { sql } from "kysely";
import type { Migration } from "../migrator.ts";

export const leftFilesByContent: Migration = {
  async up(db) {
    await sql`update checks set left_behind = '[]' where left_behind like '["%'`.execute(db);
  },
};
