/** Stores tasks, and lists them newest first with everything below them. */
import { z } from "zod";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import type { Run } from "../../domain/run/run.ts";
import type { PublishPolicy, Task } from "../../domain/task/task.ts";
import { jsonColumn, rowReader, settingsObject, timeColumn, toJson, toTime } from "../schema/row.ts";
import type { Reader, WriteTransaction } from "../schema/schema.ts";
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
    .values({
      id: task.id,
      repository_id: task.repositoryId,
      title: task.title,
      issue: task.issue,
      context: task.context,
      constraints: task.constraints,
      base: task.base,
      publish: task.publish,
      settings: toJson(task.settings),
      created_at: toTime(task.createdAt),
      open: false,
    })
    .execute();
}

export async function getTask(db: Reader, id: string): Promise<Task | null> {
  const row = await db.selectFrom("tasks").selectAll().where("id", "=", id).executeTakeFirst();
  return row === undefined ? null : toTask(row);
}

export async function getTaskTree(db: Reader, id: string): Promise<TaskTree | null> {
  const task = await getTask(db, id);
  if (task === null) return null;
  return (await withBranches(db, [task]))[0] ?? null;
}

export interface TasksWanted {
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
        eb(eb.refTuple("created_at", "id"), "<", eb.tuple(cursor?.at ?? "", cursor?.id ?? "")),
      ),
    )
    .$if(!query.all, (select) => select.where("open", "=", true))
    .$if(repositoryIds !== undefined, (select) => select.where("repository_id", "in", repositoryIds ?? []))
    .$if(query.failed === true, (select) => select.where("id", "in", tasksWithFailures(db)))
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(query.limit + 1)
    .execute();
  const page = pageOf(rows.map(toTask), query.limit, (task) => ({ at: task.createdAt, id: task.id }));
  return { items: await withBranches(db, page.items), next: page.next };
}

function tasksWithFailures(db: Reader) {
  return db
    .selectFrom("attempts")
    .innerJoin("runs", "runs.attempt_id", "attempts.id")
    .select("attempts.task_id")
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

const toTask = rowReader<Task>({
  table: "tasks",
  id: (row) => String(row.id),
  schema: z
    .object({
      id: z.string(),
      repository_id: z.string(),
      title: z.string(),
      issue: z.string(),
      context: z.string().nullable(),
      constraints: z.string().nullable(),
      base: z.string().nullable(),
      publish: z.enum(["push", "commit", "hold"] satisfies PublishPolicy[]),
      settings: jsonColumn(settingsObject),
      created_at: timeColumn,
    })
    .transform(({ repository_id, created_at, ...row }) => ({
      ...row,
      repositoryId: repository_id,
      createdAt: created_at,
    })),
});
