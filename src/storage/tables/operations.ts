/** Stores operations: every action on git or on a worktree, recorded before and after it is done. */
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from "kysely";
import type { Operation } from "../../domain/operation.ts";
import { KINDS_OF, type OperationGroup } from "../../domain/operation-group.ts";
import { toTime } from "../schema/column-codecs.ts";
import { type Page, type PageQuery, pageOf, pageRows } from "../schema/cursor.ts";
import { ownedBy } from "../schema/owned-by.ts";
import { operations, type Reader, type Schema, type WriteTransaction } from "../schema/schema.ts";

export async function insertOperation(
  trx: WriteTransaction,
  operation: Omit<Operation, "commands"> & {
    /** The data folder that does it. */
    readonly workerId?: string;
  },
): Promise<void> {
  const { workerId = null } = operation;
  await trx
    .insertInto("operations")
    .values({ ...operations.write(operation), workerId })
    .execute();
}

/** Records how an intended operation ended; `lost` if it is gone or ended before. */
export async function endOperation(
  trx: WriteTransaction,
  end: Pick<Operation, "id" | "after" | "undoable"> & {
    readonly commands?: Operation["commands"];
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

/** Operations of one worker, or of all, that began and did not end, oldest first. A start after a crash checks them. */
export async function intendedOperations(db: Reader, worker: string | null = null): Promise<Operation[]> {
  const rows = await db
    .selectFrom("operations")
    .selectAll()
    .where("status", "=", "intended")
    .where(ownedBy(worker))
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
    /** Only of this group. */
    readonly group?: OperationGroup | null;
    /** Only those that an undo may take back, as far as their own row says. */
    readonly undoable?: boolean;
    /** Words that are all in its kind, its subject or its states. */
    readonly words?: readonly string[];
    /** Or of one of these kinds. */
    readonly named?: readonly string[];
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
    .$if(query.group != null, (select) => select.where(inGroup(query.group ?? "git")))
    .$if(query.undoable === true, (select) =>
      select.where((eb) => eb.or([eb("undoable", "=", 1), eb("kind", "in", UNDONE_BY_STATE)])),
    )
    .$if((query.words?.length ?? 0) > 0, (select) =>
      select.where(holdsWords(query.words ?? [], query.named ?? [])),
    )
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

/** Whether these can be undone is not in their row. */
const UNDONE_BY_STATE = ["trash", "run_restore"];

type Condition = (eb: ExpressionBuilder<Schema, "operations">) => Expression<SqlBool>;

function inGroup(group: OperationGroup): Condition {
  const { stepped, worktrees } = KINDS_OF;
  if (group === "git") return (eb) => eb("kind", "not in", [...stepped, ...worktrees]);
  return (eb) => eb("kind", "in", KINDS_OF[group]);
}

function holdsWords(words: readonly string[], named: readonly string[]): Condition {
  const pattern = (word: string) => `%${word.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;
  const has = (column: string, word: string) =>
    sql<SqlBool>`lower(${sql.ref(column)}) like ${pattern(word)} escape '\\'`;
  return (eb) => {
    const all = words.map((word) => eb.or(SEARCHED.map((column) => has(column, word))));
    return named.length === 0 ? eb.and(all) : eb.or([eb.and(all), eb("kind", "in", named)]);
  };
}

const SEARCHED = ["kind", "subject_id", "before_state", "after_state"];

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
