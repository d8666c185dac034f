/** Lists tasks, attempts, runs and operations in pages, the newest first. */
import { err, ok, type Result } from "neverthrow";
import type { Operation } from "../../domain/operation.ts";
import { attemptsOfTask } from "../../storage/attempts.ts";
import { type Cursor, type Page, readCursor, writeCursor } from "../../storage/cursor.ts";
import { pageAttempts, pageRuns } from "../../storage/newest-first.ts";
import { pageOperations } from "../../storage/operations.ts";
import { runsOfAttempt } from "../../storage/runs.ts";
import { pageTasks } from "../../storage/tasks.ts";
import type { ServiceContext } from "../context.ts";
import { refuse } from "../refusal.ts";
import type { AttemptDetail, ListPage, PageQuery, Refusal, RunOfTask, TaskDetail } from "../services.ts";
import { runViews } from "./run-views.ts";
import { detailOf } from "./task-detail.ts";

type Listed<T> = Promise<Result<ListPage<T>, Refusal>>;

/** With their attempts and runs. Without `all`, only tasks that have an attempt which is still open. */
export function listTasks(
  context: ServiceContext,
  query: PageQuery & { readonly all: boolean },
): Listed<TaskDetail> {
  return listed(query, {
    read: (cursor) => pageTasks(context.db.reader, { ...query, cursor }),
    show: async (trees) => {
      const items: TaskDetail[] = [];
      for (const tree of trees) items.push(await detailOf(context, tree));
      return items;
    },
  });
}

/** Attempts of every task, with their runs. */
export function listAttempts(context: ServiceContext, query: PageQuery): Listed<AttemptDetail> {
  return listed(query, {
    read: (cursor) => pageAttempts(context.db.reader, { ...query, cursor }),
    show: async (rows) => {
      const views = await runViews(
        context,
        rows.flatMap(({ runs }) => runs),
      );
      const of = Map.groupBy(views, (run) => run.attemptId);
      return rows.map(({ attempt }) => ({ attempt, runs: of.get(attempt.id) ?? [] }));
    },
  });
}

/** Runs of every attempt. */
export function listRuns(context: ServiceContext, query: PageQuery): Listed<RunOfTask> {
  return listed(query, {
    read: (cursor) => pageRuns(context.db.reader, { ...query, cursor }),
    show: async (rows) => {
      const views = await runViews(
        context,
        rows.map(({ run }) => run),
      );
      return views.map((run, index) => ({ run, taskId: rows[index]?.taskId ?? "" }));
    },
  });
}

/** Operations of one subject and of all that belongs to it (a task's attempts, their runs), or of everything. */
export async function listOperations(
  context: ServiceContext,
  { subject, ...query }: PageQuery & { readonly subject: string | null },
): Listed<Operation> {
  const subjects = subject === null ? null : await withWhatBelongs(context, subject);
  return listed(query, {
    read: (cursor) => pageOperations(context.db.reader, { ...query, subjects, cursor }),
    show: async (operations) => operations,
  });
}

async function withWhatBelongs({ db }: ServiceContext, subject: string): Promise<readonly string[]> {
  const attempts = [subject, ...(await attemptsOfTask(db.reader, subject)).map(({ id }) => id)];
  const runs = await Promise.all(attempts.map((id) => runsOfAttempt(db.reader, id)));
  return [...attempts, ...runs.flat().map(({ id }) => id)];
}

async function listed<Row, Item>(
  query: PageQuery,
  of: {
    readonly read: (cursor: Cursor | null) => Promise<Page<Row>>;
    readonly show: (rows: readonly Row[]) => Promise<readonly Item[]>;
  },
): Listed<Item> {
  const cursor = query.cursor === null ? null : readCursor(query.cursor);
  if (query.cursor !== null && cursor === null)
    return err(
      refuse("bad_request", "bad_cursor", "The cursor is not one of ours.", {
        remedy: "Use the `next` of a page.",
      }),
    );
  const { items, next } = await of.read(cursor);
  return ok({ items: await of.show(items), next: next === null ? null : writeCursor(next) });
}
