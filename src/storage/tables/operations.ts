/** Stores operations: every action on git or on a worktree, recorded before and after it is done. */
import { z } from "zod";
import type { Operation } from "../../domain/operation.ts";
import {
  jsonColumn,
  jsonObject,
  rowReader,
  timeColumn,
  toJsonOrNull,
  toTime,
  toTimeOrNull,
} from "../schema/row.ts";
import type { Reader, WriteTransaction } from "../schema/schema.ts";
import { type Cursor, type Page, pageOf } from "./cursor.ts";

export async function insertOperation(trx: WriteTransaction, operation: Operation): Promise<void> {
  await trx
    .insertInto("operations")
    .values({
      id: operation.id,
      kind: operation.kind,
      subject_type: operation.subject.type,
      subject_id: operation.subject.id,
      before_state: toJsonOrNull(operation.before),
      after_state: toJsonOrNull(operation.after),
      status: operation.status,
      undoable: operation.undoable,
      at: toTime(operation.at),
      ended_at: toTimeOrNull(operation.endedAt),
    })
    .execute();
}

/** Records how an intended operation ended; `lost` if it is gone or ended before. */
export async function endOperation(
  trx: WriteTransaction,
  end: Pick<Operation, "id" | "after" | "undoable"> & {
    readonly status: "done" | "failed" | "abandoned";
    readonly endedAt: string;
  },
): Promise<"ended" | "lost"> {
  const result = await trx
    .updateTable("operations")
    .set({
      status: end.status,
      after_state: toJsonOrNull(end.after),
      undoable: end.undoable,
      ended_at: toTime(end.endedAt),
    })
    .where("id", "=", end.id)
    .where("status", "=", "intended")
    .executeTakeFirst();
  return result.numUpdatedRows === 1n ? "ended" : "lost";
}

/** Records why the result of an intended operation could not be checked; it stays intended. */
export async function noteLookFailed(
  trx: WriteTransaction,
  { id, message }: { readonly id: string; readonly message: string },
): Promise<void> {
  await trx
    .updateTable("operations")
    .set({ after_state: toJsonOrNull({ message }) })
    .where("id", "=", id)
    .where("status", "=", "intended")
    .execute();
}

/** Records that an operation was undone: it cannot be undone again. */
export async function noteUndone(trx: WriteTransaction, id: string): Promise<void> {
  await trx.updateTable("operations").set({ undoable: false }).where("id", "=", id).execute();
}

/** Operations that began and did not end, oldest first; a start after a crash checks them. */
export async function intendedOperations(db: Reader): Promise<Operation[]> {
  const rows = await db
    .selectFrom("operations")
    .selectAll()
    .where("status", "=", "intended")
    .orderBy("at")
    .orderBy("id")
    .execute();
  return rows.map(toOperation);
}

/** Newest first; only of the given subjects, unless `subjects` is null. */
export async function pageOperations(
  db: Reader,
  query: {
    readonly subjects: readonly string[] | null;
    readonly cursor: Cursor | null;
    readonly limit: number;
  },
): Promise<Page<Operation>> {
  const { cursor, subjects } = query;
  if (subjects?.length === 0) return { items: [], next: null };
  const rows = await db
    .selectFrom("operations")
    .selectAll()
    .$if(subjects !== null, (select) => select.where("subject_id", "in", subjects ?? []))
    .$if(cursor !== null, (select) =>
      select.where((eb) => eb(eb.refTuple("at", "id"), "<", eb.tuple(cursor?.at ?? "", cursor?.id ?? ""))),
    )
    .orderBy("at", "desc")
    .orderBy("id", "desc")
    .limit(query.limit + 1)
    .execute();
  return pageOf(rows.map(toOperation), query.limit, ({ at, id }) => ({ at, id }));
}

export const toOperation = rowReader<Operation>({
  table: "operations",
  id: (row) => String(row.id),
  schema: z
    .object({
      id: z.string(),
      kind: z.string(),
      subject_type: z.enum(["repository", "task", "attempt", "run"] satisfies Operation["subject"]["type"][]),
      subject_id: z.string(),
      before_state: jsonColumn(jsonObject).nullable(),
      after_state: jsonColumn(jsonObject).nullable(),
      status: z.enum(["intended", "done", "failed", "abandoned"] satisfies Operation["status"][]),
      undoable: z.boolean(),
      at: timeColumn,
      ended_at: timeColumn.nullable(),
    })
    .transform((row) => ({
      id: row.id,
      kind: row.kind,
      subject: { type: row.subject_type, id: row.subject_id },
      before: row.before_state,
      after: row.after_state,
      status: row.status,
      undoable: row.undoable,
      at: row.at,
      endedAt: row.ended_at,
    })),
});
