/** Reads what past runs of an agent in a repository have cost. */
import { type Reader, runUsage } from "../schema/schema.ts";

/** In US dollars, of the newest runs that ended well and whose cost is known; the person's own edits are left out. */
export async function pastCosts(
  db: Reader,
  of: { readonly repository: string; readonly agent: string; readonly limit: number },
): Promise<readonly number[]> {
  const rows = await db
    .selectFrom("tasks")
    .innerJoin("attempts", "attempts.taskId", "tasks.id")
    .innerJoin("runs", "runs.attemptId", "attempts.id")
    .select(["runs.id", "runs.usage", "runs.endedAt", "runs.phase"])
    .where("tasks.repositoryId", "=", of.repository)
    .where("attempts.agent", "=", of.agent)
    .where("runs.kind", "=", "agent")
    .where("runs.status", "=", "SUCCEEDED")
    .where("runs.usage", "is not", null)
    .orderBy("attempts.createdAt", "desc")
    .limit(of.limit)
    .execute();
  return rows.map(runUsage.read).flatMap(({ usage }) => usage?.costUsd ?? []);
}
