/** Stores the repositories that Tazuna knows. */
import { z } from "zod";
import type { Repository } from "../../domain/repository/repository.ts";
import { rowReader, timeColumn, toTime, toTimeOrNull } from "../schema/row.ts";
import type { Reader, WriteTransaction } from "../schema/schema.ts";

/** Throws if the id or the path is taken. */
export async function insertRepository(trx: WriteTransaction, repository: Repository): Promise<void> {
  await trx
    .insertInto("repositories")
    .values({
      id: repository.id,
      name: repository.name,
      path: repository.path,
      common_dir: repository.commonDir,
      bare: repository.bare,
      created_at: toTime(repository.createdAt),
      removed_at: null,
    })
    .execute();
}

export async function getRepository(db: Reader, id: string): Promise<Repository | null> {
  const row = await db.selectFrom("repositories").selectAll().where("id", "=", id).executeTakeFirst();
  return row === undefined ? null : toRepository(row);
}

export async function repositoryByPath(db: Reader, path: string): Promise<Repository | null> {
  const row = await db.selectFrom("repositories").selectAll().where("path", "=", path).executeTakeFirst();
  return row === undefined ? null : toRepository(row);
}

/** All records of one git repository: its own checkout and linked worktrees of it. */
export async function repositoriesOf(db: Reader, commonDir: string): Promise<Repository[]> {
  const rows = await db.selectFrom("repositories").selectAll().where("common_dir", "=", commonDir).execute();
  return rows.map(toRepository);
}

/** Those that were not removed from the list, in the order in which they were added. */
export async function listRepositories(db: Reader): Promise<Repository[]> {
  const rows = await db
    .selectFrom("repositories")
    .selectAll()
    .where("removed_at", "is", null)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return rows.map(toRepository);
}

/** Removes it from the list, or (null) puts it back; all that belongs to it stays. */
export async function markRepository(
  trx: WriteTransaction,
  repository: { readonly id: string; readonly removedAt: string | null },
): Promise<void> {
  await trx
    .updateTable("repositories")
    .set({ removed_at: toTimeOrNull(repository.removedAt) })
    .where("id", "=", repository.id)
    .execute();
}

/** Records a new path of the repository. Throws if the path is taken. */
export async function moveRepository(
  trx: WriteTransaction,
  to: Pick<Repository, "id" | "name" | "path" | "commonDir">,
): Promise<"moved" | "missing"> {
  const result = await trx
    .updateTable("repositories")
    .set({ name: to.name, path: to.path, common_dir: to.commonDir })
    .where("id", "=", to.id)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n ? "moved" : "missing";
}

/** Moves all that belongs to one repository to another record of the same one, and deletes the first. */
export async function absorbRepository(
  trx: WriteTransaction,
  move: { readonly id: string; readonly into: string },
): Promise<void> {
  const { id, into } = move;
  await trx.updateTable("tasks").set({ repository_id: into }).where("repository_id", "=", id).execute();
  await trx
    .updateTable("trusted_scripts")
    .set({ repository_id: into })
    .where("repository_id", "=", id)
    .where("hash", "not in", (eb) =>
      eb
        .selectFrom("trusted_scripts as theirs")
        .select("theirs.hash")
        .where("theirs.repository_id", "=", into),
    )
    .execute();
  await trx.deleteFrom("trusted_scripts").where("repository_id", "=", id).execute();
  await trx.deleteFrom("repositories").where("id", "=", id).execute();
}

const toRepository = rowReader<Repository>({
  table: "repositories",
  id: (row) => String(row.id),
  schema: z
    .object({
      id: z.string(),
      name: z.string(),
      path: z.string(),
      common_dir: z.string(),
      bare: z.boolean(),
      created_at: timeColumn,
    })
    .transform(({ common_dir, created_at, ...row }) => ({
      ...row,
      commonDir: common_dir,
      createdAt: created_at,
    })),
});
