/** Stores the repositories that Tazuna knows. */
import type { Repository } from "../../domain/repository/repository.ts";
import { toTime } from "../schema/column-codecs.ts";
import { ownedBy } from "../schema/owned-by.ts";
import { type Reader, repositories, type WriteTransaction } from "../schema/schema.ts";

/** `worker` is the one on whose disk it lies (ADR 0084). Throws if the id, or the path there, is taken. */
export async function insertRepository(
  trx: WriteTransaction,
  repository: Repository,
  worker: string,
): Promise<void> {
  const row = { ...repositories.write(repository), workerId: worker };
  await trx.insertInto("repositories").values(row).execute();
}

export async function getRepository(db: Reader, id: string): Promise<Repository | null> {
  const row = await db.selectFrom("repositories").selectAll().where("id", "=", id).executeTakeFirst();
  return row === undefined ? null : repositories.read(row);
}

/** Of this worker; of any if it is null. */
export async function repositoryByPath(
  db: Reader,
  path: string,
  worker: string | null,
): Promise<Repository | null> {
  const row = await db
    .selectFrom("repositories")
    .selectAll()
    .where("path", "=", path)
    .where(ownedBy(worker))
    .executeTakeFirst();
  return row === undefined ? null : repositories.read(row);
}

/** All records of one git repository: its own checkout and linked worktrees of it. */
export async function repositoriesOf(db: Reader, commonDir: string): Promise<Repository[]> {
  const rows = await db.selectFrom("repositories").selectAll().where("commonDir", "=", commonDir).execute();
  return rows.map(repositories.read);
}

/** All of a worker that were cloned from an address, also those that were removed from the list. */
export async function repositoriesFromUrl(db: Reader, worker: string | null): Promise<Repository[]> {
  const rows = await db
    .selectFrom("repositories")
    .selectAll()
    .where("url", "is not", null)
    .where(ownedBy(worker))
    .execute();
  return rows.map(repositories.read);
}

/** Those of a worker that were not removed from the list, in the order in which they were added. Null: of all. */
export async function listRepositories(db: Reader, worker: string | null): Promise<Repository[]> {
  const rows = await db
    .selectFrom("repositories")
    .selectAll()
    .where("removedAt", "is", null)
    .where(ownedBy(worker))
    .orderBy("createdAt")
    .orderBy("id")
    .execute();
  return rows.map(repositories.read);
}

/** Removes it from the list, or (null) puts it back; all that belongs to it stays. False if that was so before. */
export async function markRepository(
  trx: WriteTransaction,
  repository: { readonly id: string; readonly removedAt: string | null },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("repositories")
    .set({ removedAt: repository.removedAt && toTime(repository.removedAt) })
    .where("id", "=", repository.id)
    .where("removedAt", repository.removedAt === null ? "is not" : "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Records a new path of the repository. Throws if the path is taken. */
export async function moveRepository(
  trx: WriteTransaction,
  to: Pick<Repository, "id" | "name" | "path" | "commonDir">,
): Promise<"moved" | "missing"> {
  const result = await trx
    .updateTable("repositories")
    .set(repositories.write({ name: to.name, path: to.path, commonDir: to.commonDir }))
    .where("id", "=", to.id)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n ? "moved" : "missing";
}

/** Records where it is fetched from. False if that was known. */
export async function noteAddress(
  trx: WriteTransaction,
  { id, address }: Pick<Repository, "id" | "address">,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("repositories")
    .set({ address })
    .where("id", "=", id)
    .where("address", "is distinct from", address)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Moves all that belongs to one repository to another record of the same one, and deletes the first. */
export async function absorbRepository(
  trx: WriteTransaction,
  move: { readonly id: string; readonly into: string },
): Promise<void> {
  const { id, into } = move;
  for (const table of ["tasks", "attempts"] as const)
    await trx.updateTable(table).set({ repositoryId: into }).where("repositoryId", "=", id).execute();
  await trx
    .updateTable("trustedScripts")
    .set({ repositoryId: into })
    .where("repositoryId", "=", id)
    .where("hash", "not in", (eb) =>
      eb.selectFrom("trustedScripts as theirs").select("theirs.hash").where("theirs.repositoryId", "=", into),
    )
    .execute();
  await trx.deleteFrom("trustedScripts").where("repositoryId", "=", id).execute();
  await trx.updateTable("answerRules").set({ repositoryId: into }).where("repositoryId", "=", id).execute();
  // Results that can be had again.
  await trx.deleteFrom("baseChecks").where("repositoryId", "=", id).execute();
  await trx.deleteFrom("repositories").where("id", "=", id).execute();
}
