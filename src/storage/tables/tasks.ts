/** Stores tasks, and lists them newest first with their attempts and runs. */
import type { Attempt } from "../../domain/attempt/attempt.ts";
import type { Run } from "../../domain/run/run.ts";
import type { Task } from "../../domain/task/task.ts";
import { toTime } from "../schema/column-codecs.ts";
import { type Page, type PageQuery, pageOf, pageRows } from "../schema/cursor.ts";
import { type Reader, tasks as table, type WriteTransaction } from "../schema/schema.ts";
import { attemptsOfTasks } from "./attempts.ts";
import { runsOfTasks } from "./runs.ts";

/** A task with its attempts by number, and their runs in the order in which they work. */
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
  /** Only tasks with an attempt of this agent; null or absent: of any. */
  readonly agent?: string | null;
  /** Only tasks that were created then or later, UTC ISO; null or absent: all. */
  readonly since?: string | null;
}

/** Newest first. Three queries for any page size. */
export async function pageTasks(db: Reader, query: TasksWanted & PageQuery): Promise<Page<TaskTree>> {
  const { repositoryIds } = query;
  const wanted = db
    .selectFrom("tasks")
    .selectAll()
    .$if(!query.all, (select) => select.where("open", "=", 1))
    .$if(repositoryIds !== undefined, (select) => select.where("repositoryId", "in", repositoryIds ?? []))
    .$if(query.since != null, (select) => select.where("createdAt", ">=", toTime(query.since ?? "")))
    .$if(query.agent != null, (select) => select.where("id", "in", tasksOfAgent(db, query.agent ?? "")))
    .$if(query.failed === true, (select) => select.where("id", "in", tasksWithFailures(db)));
  const rows = await pageRows(wanted, query, "createdAt").execute();
  const page = pageOf(rows.map(table.read), query, "createdAt");
  return { items: await withBranches(db, page.items), next: page.next };
}

function tasksOfAgent(db: Reader, agent: string) {
  return db.selectFrom("attempts").select("attempts.taskId").where("attempts.agent", "=", agent);
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
