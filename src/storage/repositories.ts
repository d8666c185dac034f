/** Stores the repositories that Tazuna knows. */
import { z } from "zod";
import type { Repository } from "../domain/repository/repository.ts";
import { rowReader, timeColumn, toTime } from "./row.ts";
import type { Reader, WriteTransaction } from "./schema.ts";

/** Throws where the id or the path is taken. */
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

/** All of them, in the order in which they were added. */
export async function listRepositories(db: Reader): Promise<Repository[]> {
  const rows = await db.selectFrom("repositories").selectAll().orderBy("created_at").orderBy("id").execute();
  return rows.map(toRepository);
}

/** Records that the repository lies elsewhere now. Throws where the path is taken. */
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

/** Hands all that belongs to one repository to another record of the same one, and deletes the first. */
export async function absorbRepository(
  trx: WriteTransaction,
  of: { readonly id: string; readonly into: string },
): Promise<void> {
  const { id, into } = of;
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
