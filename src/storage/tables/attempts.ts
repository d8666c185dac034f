/** Stores attempts: one agent's line of work on a task. */
import type { Attempt } from "../../domain/attempt/attempt.ts";
import { attempts, type Reader, type WriteTransaction } from "../schema/schema.ts";

/** A new attempt: the storage gives its number, it is open, and git has made nothing yet. */
export type NewAttempt = Pick<
  Attempt,
  | "id"
  | "taskId"
  | "agent"
  | "executor"
  | "model"
  | "branch"
  | "branchExisted"
  | "worktree"
  | "base"
  | "origin"
  | "createdAt"
>;

/** What may change in an attempt; absent keys stay as they are. */
export type AttemptChange = Partial<
  Omit<
    Attempt,
    "id" | "taskId" | "number" | "agent" | "executor" | "branchExisted" | "origin" | "createdAt"
  > & {
    /** The data folder that holds its worktree from now on. */
    readonly workerId: string;
    /** The clone in which it works from now on. */
    readonly repositoryId: string;
  }
>;

/** Throws if the id or the worktree is taken. */
export async function insertAttempt(trx: WriteTransaction, attempt: NewAttempt): Promise<Attempt> {
  const { number } = await trx
    .selectFrom("attempts")
    .select((eb) => eb.fn.coalesce(eb.fn.max("number"), eb.lit(0)).as("number"))
    .where("taskId", "=", attempt.taskId)
    .executeTakeFirstOrThrow();
  const row = await trx
    .insertInto("attempts")
    .values({
      ...attempts.write({ ...attempt, number: number + 1, state: "open" }),
      repositoryId: trx.selectFrom("tasks").select("repositoryId").where("id", "=", attempt.taskId),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await noteOpenTask(trx, attempt.id);
  return attempts.read(row);
}

export async function getAttempt(db: Reader, id: string): Promise<Attempt | null> {
  const row = await db.selectFrom("attempts").selectAll().where("id", "=", id).executeTakeFirst();
  return row === undefined ? null : attempts.read(row);
}

/** The repository in which it works: that of its task, or the clone to which another worker took it. */
export async function repositoryOfAttempt(db: Reader, id: string): Promise<string | null> {
  const row = await db.selectFrom("attempts").select("repositoryId").where("id", "=", id).executeTakeFirst();
  return row?.repositoryId ?? null;
}

/** By attempt: the id of its task. */
export async function tasksOfAttempts(
  db: Reader,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom("attempts").select(["id", "taskId"]).where("id", "in", ids).execute();
  return new Map(rows.map(({ id, taskId }) => [id, taskId]));
}

/** By number. */
export async function attemptsOfTask(db: Reader, taskId: string): Promise<Attempt[]> {
  return attemptsOfTasks(db, [taskId]);
}

/** By number within each task. */
export async function attemptsOfTasks(db: Reader, taskIds: readonly string[]): Promise<Attempt[]> {
  if (taskIds.length === 0) return [];
  const rows = await db
    .selectFrom("attempts")
    .selectAll()
    .where("taskId", "in", taskIds)
    .orderBy("taskId")
    .orderBy("number")
    .execute();
  return rows.map(attempts.read);
}

/** Has no fence of its own. A caller that owns a run checks `holdsLease` in the same transaction. */
export async function updateAttempt(
  trx: WriteTransaction,
  change: { readonly id: string; readonly set: AttemptChange },
): Promise<"updated" | "missing"> {
  const { workerId, repositoryId } = change.set;
  const result = await trx
    .updateTable("attempts")
    // With the id, the statement is valid even if nothing else is set.
    .set({
      ...attempts.write(change.set),
      id: change.id,
      ...(workerId === undefined ? {} : { workerId }),
      ...(repositoryId === undefined ? {} : { repositoryId }),
    })
    .where("id", "=", change.id)
    .executeTakeFirst();
  if (change.set.state !== undefined || change.set.cleanUp !== undefined) await noteOpenTask(trx, change.id);
  return result.numUpdatedRows === 1n ? "updated" : "missing";
}

/** Stores with the attempt's task whether any of its attempts is open, or cannot be cleaned up. */
async function noteOpenTask(trx: WriteTransaction, attemptId: string): Promise<void> {
  const open = trx
    .selectFrom("attempts")
    .select((eb) => eb.fn.countAll<number>().as("n"))
    .where((eb) => eb.or([eb("state", "=", "open"), eb("cleanUp", "is not", null)]))
    .where("taskId", "=", taskOf(trx, attemptId));
  const { n } = await open.executeTakeFirstOrThrow();
  await trx
    .updateTable("tasks")
    .set({ open: n > 0 ? 1 : 0 })
    .where("id", "=", taskOf(trx, attemptId))
    .execute();
}

const taskOf = (trx: WriteTransaction, attemptId: string) =>
  trx.selectFrom("attempts").select("taskId").where("id", "=", attemptId);
