/** Finds the runs with which another worker could go on: their repositories have an address (ADR 0093). */
import type { Reader } from "../schema/schema.ts";

/** Of those that this owner holds. */
export async function movableRuns(db: Reader, owner: string): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom("runs")
    .innerJoin("attempts", "attempts.id", "runs.attemptId")
    .innerJoin("repositories", "repositories.id", "attempts.repositoryId")
    .select("runs.id")
    .where("runs.leaseOwner", "=", owner)
    .where("repositories.address", "is not", null)
    .execute();
  return new Set(rows.map(({ id }) => id));
}
