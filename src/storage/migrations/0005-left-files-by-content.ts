/** Deletes the bare names of files that earlier checks left: without the content, a change cannot be detected. */
import { sql } from "kysely";
import type { Migration } from "../schema/migrator.ts";

export const leftFilesByContent: Migration = {
  async up(db) {
    await sql`update checks set left_behind = '[]' where left_behind like '["%'`.execute(db);
  },
};
