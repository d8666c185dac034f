/** Finds operations by what they did. */
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
