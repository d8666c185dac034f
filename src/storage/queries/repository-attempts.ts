/** Finds the attempts of a repository, and the repository of a worktree. */
import type { Attempt } from "../../domain/attempt/attempt.ts";
import type { Repository } from "../../domain/repository/repository.ts";
import { attempts, type Reader } from "../schema/schema.ts";
import { getAttempt } from "../tables/attempts.ts";
import { getRepository } from "../tables/repositories.ts";

/** Oldest first, removed ones too. */
export async function attemptsOfRepository(db: Reader, repositoryId: string): Promise<Attempt[]> {
  const rows = await db
    .selectFrom("attempts")
    .select("id")
    .where("repositoryId", "=", repositoryId)
    .orderBy("createdAt")
    .orderBy("id")
    .execute();
  const found: Attempt[] = [];
  for (const { id } of rows) {
    const attempt = await getAttempt(db, id);
    if (attempt !== null) found.push(attempt);
  }
  return found;
}

export async function countOpenAttempts(db: Reader, repositoryId: string): Promise<number> {
  const { count } = await db
    .selectFrom("attempts")
    .select((eb) => eb.fn.countAll().as("count"))
    .where("repositoryId", "=", repositoryId)
    .where("state", "=", "open")
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Open ones with the titles of their tasks, the newest first. */
export async function openAttemptsOf(
  db: Reader,
  repositoryId: string,
  { limit }: { readonly limit: number },
): Promise<readonly { readonly attempt: Attempt; readonly title: string }[]> {
  const rows = await db
    .selectFrom("attempts")
    .innerJoin("tasks", "tasks.id", "attempts.taskId")
    .selectAll("attempts")
    .select("tasks.title")
    .where("attempts.repositoryId", "=", repositoryId)
    .where("attempts.state", "=", "open")
    .orderBy("attempts.createdAt", "desc")
    .orderBy("attempts.id", "desc")
    .limit(limit)
    .execute();
  return rows.map((row) => ({ attempt: attempts.read(row), title: row.title }));
}

/** The repository of the attempt whose worktree is, or was, at this path; null if there is none. */
export async function repositoryOfWorktree(db: Reader, worktree: string): Promise<Repository | null> {
  const row = await db
    .selectFrom("attempts")
    .select("repositoryId")
    .where("worktree", "=", worktree)
    .executeTakeFirst();
  return row === undefined ? null : getRepository(db, row.repositoryId);
}
