/** Lists attempts whose clean-up was begun and not finished. */

import { ownedBy } from "../schema/owned-by.ts";
import type { Reader } from "../schema/schema.ts";

/** Ids of cancelled attempts that still hold a worktree of the worker, or may hold one; of any worker if it is null. */
export async function attemptsToClean(db: Reader, worker: string | null = null): Promise<string[]> {
  const rows = await db
    .selectFrom("attempts")
    .select("id")
    .where("state", "=", "canceled")
    .where(ownedBy(worker))
    .orderBy("createdAt")
    .orderBy("id")
    .execute();
  return rows.map(({ id }) => id);
}
