/** Stores tasks, and lists them newest first with everything below them. */
import type { Attempt } from "../../domain/attempt/attempt.ts";
import type { Run } from "../../domain/run/run.ts";
import type { Task } from "../../domain/task/task.ts";
import { type Reader, tasks as table, type WriteTransaction } from "../schema/schema.ts";
import { attemptsOfTasks } from "./attempts.ts";
import { type Cursor, type Page, pageOf } from "./cursor.ts";
import { runsOfTasks } from "./runs.ts";

/** A task with its attempts and their runs, each by number. */
export interface TaskTree {
  readonly task: Task;
  readonly attempts: readonly { readonly attempt: Attempt; readonly runs: readonly Run[] }[];
}

export async function insertTask(trx: WriteTransaction, task: Task): Promise<void> {
  await trx
    .insertInto("tasks")
    .values({ ...table.write(task), open: 0 })
    .execute();
}

export async function getTask(db: Reader, id: string): Promise<Task | null> {
  const row = await db.selectFrom("tasks").selectAll().where("id", "=", id).executeTakeFirst();
  return row === undefined ? null : table.read(row);
}

export async function getTaskTree(db: Reader, id: string): Promise<TaskTree | null> {
  const task = await getTask(db, id);
  if (task === null) return null;
  return (await withBranches(db, [task]))[0] ?? null;
}

interface TasksWanted {
  /** Include tasks without an open attempt. */
  readonly all: boolean;
  /** Only of these repositories, at least one; absent: of all. */
  readonly repositoryIds?: readonly string[] | undefined;
  /** Only tasks with an open attempt that has a failed run. */
  readonly failed?: boolean;
}

/** Newest first. Three queries for any page size. */
export async function pageTasks(
  db: Reader,
  query: TasksWanted & { readonly cursor: Cursor | null; readonly limit: number },
): Promise<Page<TaskTree>> {
  const { cursor, repositoryIds } = query;
  const rows = await db
    .selectFrom("tasks")
    .selectAll()
    .$if(cursor !== null, (select) =>
      select.where((eb) =>
        eb(eb.refTuple("createdAt", "id"), "<", eb.tuple(cursor?.at ?? "", cursor?.id ?? "")),
      ),
    )
    .$if(!query.all, (select) => select.where("open", "=", 1))
    .$if(repositoryIds !== undefined, (select) => select.where("repositoryId", "in", repositoryIds ?? []))
    .$if(query.failed === true, (select) => select.where("id", "in", tasksWithFailures(db)))
    .orderBy("createdAt", "desc")
    .orderBy("id", "desc")
    .limit(query.limit + 1)
    .execute();
  const page = pageOf(rows.map(table.read), query.limit, (task) => ({ at: task.createdAt, id: task.id }));
  return { items: await withBranches(db, page.items), next: page.next };
}

function tasksWithFailures(db: Reader) {
  return db
    .selectFrom("attempts")
    .innerJoin("runs", "runs.attemptId", "attempts.id")
    .select("attempts.taskId")
    .where("attempts.state", "=", "open")
    .where("runs.status", "=", "FAILED");
}

async function withBranches(db: Reader, tasks: readonly Task[]): Promise<TaskTree[]> {
  const ids = tasks.map((task) => task.id);
  const attempts = Map.groupBy(await attemptsOfTasks(db, ids), (attempt) => attempt.taskId);
  const runs = Map.groupBy(await runsOfTasks(db, ids), (run) => run.attemptId);
  return tasks.map((task) => ({
    task,
    attempts: (attempts.get(task.id) ?? []).map((attempt) => ({ attempt, runs: runs.get(attempt.id) ?? [] })),
  }));
}
