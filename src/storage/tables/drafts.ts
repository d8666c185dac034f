/** Stores drafts, one for each form. */
import type { Draft } from "../../domain/draft/draft.ts";
import { drafts, type Reader, type WriteTransaction } from "../schema/schema.ts";

export async function getDraft(db: Reader, name: string): Promise<Draft | null> {
  const row = await db.selectFrom("drafts").selectAll().where("name", "=", name).executeTakeFirst();
  return row === undefined ? null : drafts.read(row);
}

/** Replaces an earlier one. */
export async function saveDraft(trx: WriteTransaction, draft: Draft): Promise<void> {
  const row = drafts.write(draft);
  await trx
    .insertInto("drafts")
    .values(row)
    .onConflict((conflict) => conflict.column("name").doUpdateSet(row))
    .execute();
}

export async function deleteDraft(trx: WriteTransaction, name: string): Promise<void> {
  await trx.deleteFrom("drafts").where("name", "=", name).execute();
}
