/** Lets an idempotency key name what was created under it, so that a crash before the answer loses nothing. */
import { sql } from "kysely";
import type { Migration } from "../schema/migrator.ts";

export const createdUnderKey: Migration = {
  async up(db, kind) {
    await db.schema
      .alterTable("idempotency_keys")
      .addColumn("created_id", kind === "postgres" ? sql`text collate "C"` : sql`text`)
      .execute();
  },
};
