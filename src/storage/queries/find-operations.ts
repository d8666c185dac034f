/** Finds operations by their kind, and by the beginning of their id. */
import type { Operation } from "../../domain/operation.ts";
import { ownedBy } from "../schema/owned-by.ts";
import { operations, type Reader } from "../schema/schema.ts";
import { withPrefix } from "./find-by-prefix.ts";

/** Every operation of these kinds, oldest first; of only one subject, and of one worker, if these are named. */
export async function operationsOfKinds(
  db: Reader,
  kinds: readonly string[],
  subject: string | null = null,
  worker: string | null = null,
): Promise<Operation[]> {
  const rows = await db
    .selectFrom("operations")
    .selectAll()
    .where("kind", "in", kinds)
    .$if(subject !== null, (select) => select.where("subjectId", "=", subject ?? ""))
    .where(ownedBy(worker))
    .orderBy("at")
    .orderBy("id")
    .execute();
  return rows.map(operations.read);
}

/** The newest operation of that kind on that subject, of any status unless one is named; null if there is none. */
export async function newestOf(
  db: Reader,
  {
    kind,
    subject,
    status,
  }: Pick<Operation, "kind"> & {
    readonly subject: string;
    readonly status?: Operation["status"];
  },
): Promise<Operation | null> {
  const row = await db
    .selectFrom("operations")
    .selectAll()
    .where("subjectId", "=", subject)
    .where("kind", "=", kind)
    .$if(status !== undefined, (select) => select.where("status", "=", status ?? "done"))
    .orderBy("at", "desc")
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : operations.read(row);
}

/** At most ten. A whole id matches once, even if longer ones begin with it. The empty prefix matches nothing. */
export async function operationsByPrefix(db: Reader, prefix: string): Promise<Operation[]> {
  if (prefix === "") return [];
  const rows = await withPrefix(db.selectFrom("operations").selectAll(), "id", prefix).execute();
  const found = rows.map(operations.read);
  const whole = found.filter(({ id }) => id === prefix);
  return whole.length > 0 ? whole : found;
}
