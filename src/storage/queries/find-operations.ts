/** Finds operations by their kind, and by the beginning of their id. */
import type { Operation } from "../../domain/operation.ts";
import type { Reader } from "../schema/schema.ts";
import { toOperation } from "../tables/operations.ts";

/** Every operation of these kinds, oldest first; of only one subject, if one is named. */
export async function operationsOfKinds(
  db: Reader,
  kinds: readonly string[],
  subject: string | null = null,
): Promise<Operation[]> {
  const rows = await db
    .selectFrom("operations")
    .selectAll()
    .where("kind", "in", kinds)
    .$if(subject !== null, (select) => select.where("subject_id", "=", subject ?? ""))
    .orderBy("at")
    .orderBy("id")
    .execute();
  return rows.map(toOperation);
}

/**
 * No character sorts after this one, byte by byte. So every text between the prefix and this bound begins with the
 * prefix.
 */
const LAST = "\u{10FFFF}";
const MOST_CANDIDATES = 10;

/** At most ten. A whole id matches once, even if longer ones begin with it. The empty prefix matches nothing. */
export async function operationsByPrefix(db: Reader, prefix: string): Promise<Operation[]> {
  if (prefix === "") return [];
  const rows = await db
    .selectFrom("operations")
    .selectAll()
    .where("id", ">=", prefix)
    .where("id", "<", prefix + LAST)
    .orderBy("id")
    .limit(MOST_CANDIDATES)
    .execute();
  const found = rows.map(toOperation);
  const whole = found.filter(({ id }) => id === prefix);
  return whole.length > 0 ? whole : found;
}
