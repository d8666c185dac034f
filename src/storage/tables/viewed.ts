/** Stores which files of a patch, and which run, a person has looked at. */
import type { SeenRun, ViewedFile } from "../../domain/viewed/viewed.ts";
import { type Reader, seenRuns, viewedFiles, type WriteTransaction } from "../schema/schema.ts";

/** In the order of their paths. */
export async function viewedFilesOf(db: Reader, attemptId: string): Promise<readonly ViewedFile[]> {
  const rows = await db.selectFrom("viewedFiles").selectAll().where("attemptId", "=", attemptId).execute();
  // Databases sort texts differently.
  return rows.map(viewedFiles.read).sort((one, other) => (one.path < other.path ? -1 : 1));
}

/** A file that was looked at before is looked at again. */
export async function saveViewed(trx: WriteTransaction, file: ViewedFile): Promise<void> {
  const row = viewedFiles.write(file);
  await trx
    .insertInto("viewedFiles")
    .values(row)
    .onConflict((conflict) => conflict.columns(["attemptId", "path"]).doUpdateSet(row))
    .execute();
}

export async function forgetViewed(
  trx: WriteTransaction,
  { attemptId, path }: Pick<ViewedFile, "attemptId" | "path">,
): Promise<void> {
  await trx.deleteFrom("viewedFiles").where("attemptId", "=", attemptId).where("path", "=", path).execute();
}

export async function seenRunOf(db: Reader, attemptId: string): Promise<SeenRun | null> {
  const row = await db
    .selectFrom("seenRuns")
    .selectAll()
    .where("attemptId", "=", attemptId)
    .executeTakeFirst();
  return row === undefined ? null : seenRuns.read(row);
}

export async function saveSeenRun(trx: WriteTransaction, seen: SeenRun): Promise<void> {
  const row = seenRuns.write(seen);
  await trx
    .insertInto("seenRuns")
    .values(row)
    .onConflict((conflict) => conflict.column("attemptId").doUpdateSet(row))
    .execute();
}
