/** Stores operations: every action on git or on a worktree, recorded before and after it is done. */
import type { Operation } from "../../domain/operation.ts";
import { toTime } from "../schema/column-codecs.ts";
import { type Page, type PageQuery, pageOf, pageRows } from "../schema/cursor.ts";
import { operations, type Reader, type WriteTransaction } from "../schema/schema.ts";

export async function insertOperation(trx: WriteTransaction, operation: Operation): Promise<void> {
  await trx.insertInto("operations").values(operations.write(operation)).execute();
}

/** Records how an intended operation ended; `lost` if it is gone or ended before. */
export async function endOperation(
  trx: WriteTransaction,
  end: Pick<Operation, "id" | "after" | "undoable"> & {
    readonly status: Exclude<Operation["status"], "intended">;
    readonly endedAt: string;
  },
): Promise<"ended" | "lost"> {
  const { id, ...set } = end;
  const result = await trx
    .updateTable("operations")
    .set(operations.write(set))
    .where("id", "=", id)
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
    .set(operations.write({ after: { message } }))
    .where("id", "=", id)
    .where("status", "=", "intended")
    .execute();
}

/** Records that an operation was undone: it cannot be undone again. */
export async function noteUndone(trx: WriteTransaction, id: string): Promise<void> {
  await trx
    .updateTable("operations")
    .set(operations.write({ undoable: false }))
    .where("id", "=", id)
    .execute();
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
  return rows.map(operations.read);
}

/** Newest first; only of the given subjects, unless `subjects` is null. */
export async function pageOperations(
  db: Reader,
  query: PageQuery & {
    readonly subjects: readonly string[] | null;
    readonly kind?: string | null;
    readonly failed?: boolean;
    /** Begun then or later, UTC ISO. */
    readonly since?: string | null;
    readonly repositoryIds?: readonly string[] | undefined;
  },
): Promise<Page<Operation>> {
  const { subjects } = query;
  if (subjects?.length === 0) return { items: [], next: null };
  const wanted = db
    .selectFrom("operations")
    .selectAll()
    .$if(subjects !== null, (select) => select.where("subjectId", "in", subjects ?? []))
    .$if(query.kind != null, (select) => select.where("kind", "=", query.kind ?? ""))
    .$if(query.failed === true, (select) => select.where("status", "=", "failed"))
    .$if(query.since != null, (select) => select.where("at", ">=", toTime(query.since ?? "")))
    .$if(query.repositoryIds !== undefined, (select) =>
      select.where((eb) =>
        eb.or(whatBelongs(db, query.repositoryIds ?? []).map((ids) => eb("subjectId", "in", ids))),
      ),
    );
  const rows = await pageRows(wanted, query, "at").execute();
  return pageOf(rows.map(operations.read), query, "at");
}

/** The ids of repositories, and of all tasks, attempts and runs on them. */
function whatBelongs(db: Reader, repositories: readonly string[]) {
  const tasks = db.selectFrom("tasks").select("tasks.id").where("tasks.repositoryId", "in", repositories);
  const attempts = db.selectFrom("attempts").select("attempts.id").where("attempts.taskId", "in", tasks);
  return [
    db.selectFrom("repositories").select("repositories.id").where("repositories.id", "in", repositories),
    tasks,
    attempts,
    db.selectFrom("runs").select("runs.id").where("runs.attemptId", "in", attempts),
  ];
}
