/** Lists the branches that belong to attempts. */
import type { Reader } from "../schema/schema.ts";

/** Short names of every branch that an attempt on one of these repositories has or had. */
export async function branchesOfRepositories(
  db: Reader,
  repositoryIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom("attempts")
    .select("branch")
    .where("repositoryId", "in", repositoryIds)
    // One that another worker took left its branch here.
    .union(
      db
        .selectFrom("attempts")
        .innerJoin("tasks", "tasks.id", "attempts.taskId")
        .select("attempts.branch")
        .where("tasks.repositoryId", "in", repositoryIds),
    )
    .execute();
  return new Set(rows.map(({ branch }) => branch));
}
