/** Finds operations by what they did, and by the beginning of their id. */
import type { Operation } from "../domain/operation.ts";
import { toOperation } from "./operations.ts";
import type { Reader } from "./schema.ts";

/** Every operation of these kinds, oldest first; of one subject only, where one is named. */
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

/** No character sorts behind this one, byte by byte: what lies between the prefix and it begins with the prefix. */
const LAST = "\u{10FFFF}";
const MOST_CANDIDATES = 10;

/** At most ten; a whole id is one, though longer ones begin with it. The empty prefix points at nothing. */
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
