/** Lists the attempts on one repository. */
import type { Attempt } from "../domain/attempt/attempt.ts";
import { getAttempt } from "./attempts.ts";
import type { Reader } from "./schema.ts";

/** Oldest first, removed ones too. */
export async function attemptsOfRepository(db: Reader, repositoryId: string): Promise<Attempt[]> {
  const rows = await db
    .selectFrom("attempts")
    .innerJoin("tasks", "tasks.id", "attempts.task_id")
    .select("attempts.id")
    .where("tasks.repository_id", "=", repositoryId)
    .orderBy("attempts.created_at")
    .orderBy("attempts.id")
    .execute();
  const attempts: Attempt[] = [];
  for (const { id } of rows) {
    const attempt = await getAttempt(db, id);
    if (attempt !== null) attempts.push(attempt);
  }
  return attempts;
}
