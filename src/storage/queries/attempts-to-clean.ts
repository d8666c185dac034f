/** Lists attempts whose clean-up was begun and not finished. */
import type { Reader } from "../schema/schema.ts";

/** Ids of cancelled attempts that still hold a worktree, or may hold one. */
export async function attemptsToClean(db: Reader): Promise<string[]> {
  const rows = await db
    .selectFrom("attempts")
    .select("id")
    .where("state", "=", "canceled")
    .orderBy("createdAt")
    .orderBy("id")
    .execute();
  return rows.map(({ id }) => id);
}
