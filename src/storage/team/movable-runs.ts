/** Finds the runs with which another worker could go on: a depot keeps what they change (ADR 0093). */
import type { Reader } from "../schema/schema.ts";

/** Of those that this owner holds. The depot has repositories with an address only. */
export async function movableRuns(db: Reader, owner: string): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom("runs")
    .innerJoin("attempts", "attempts.id", "runs.attemptId")
    .innerJoin("repositories", "repositories.id", "attempts.repositoryId")
    .select("runs.id")
    .where("runs.leaseOwner", "=", owner)
    .where("repositories.address", "is not", null)
    .where(({ exists, selectFrom }) => exists(selectFrom("depot").select("id")))
    .execute();
  return new Set(rows.map(({ id }) => id));
}
