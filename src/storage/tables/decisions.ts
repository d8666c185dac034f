/** Stores decisions; at most one of a task holds, the others are its history. */
import type { Decision } from "../../domain/decision/decision.ts";
import { type Page, type PageQuery, pageOf, pageRows } from "../schema/cursor.ts";
import { decisions, type Reader, type WriteTransaction } from "../schema/schema.ts";

/** Takes the place of the decision that held. */
export async function insertDecision(trx: WriteTransaction, decision: Decision): Promise<void> {
  await trx
    .updateTable("decisions")
    .set(decisions.write({ replacedAt: decision.at }))
    .where("taskId", "=", decision.taskId)
    .where("replacedAt", "is", null)
    .execute();
  await trx.insertInto("decisions").values(decisions.write(decision)).execute();
}

/** The decision that held before it holds again, if there is one. */
export async function takeDecisionBack(
  trx: WriteTransaction,
  { id, earlier, at }: { readonly id: string; readonly earlier: string | null; readonly at: string },
): Promise<void> {
  const set = (changed: string, change: Partial<Decision>) =>
    trx.updateTable("decisions").set(decisions.write(change)).where("id", "=", changed).execute();
  await set(id, { replacedAt: at, takenBackAt: at });
  if (earlier !== null) await set(earlier, { replacedAt: null });
}

export async function getDecision(db: Reader, id: string): Promise<Decision | null> {
  const row = await db.selectFrom("decisions").selectAll().where("id", "=", id).executeTakeFirst();
  return row === undefined ? null : decisions.read(row);
}

/** The decisions that hold, by task. */
export async function decisionsOfTasks(
  db: Reader,
  taskIds: readonly string[],
): Promise<ReadonlyMap<string, Decision>> {
  if (taskIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("decisions")
    .selectAll()
    .where("taskId", "in", taskIds)
    .where("replacedAt", "is", null)
    .execute();
  return new Map(rows.map(decisions.read).map((decision) => [decision.taskId, decision]));
}

/** Newest first; of one task, or of all if `task` is null. */
export async function pageDecisions(
  db: Reader,
  query: PageQuery & { readonly task: string | null },
): Promise<Page<Decision>> {
  const wanted = db
    .selectFrom("decisions")
    .selectAll()
    .$if(query.task !== null, (select) => select.where("taskId", "=", query.task ?? ""));
  const rows = await pageRows(wanted, query, "at").execute();
  return pageOf(rows.map(decisions.read), query, "at");
}
