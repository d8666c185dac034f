/** Lists attempts and runs of all tasks, newest first, in pages. */
import type { Attempt } from "../../domain/attempt/attempt.ts";
import type { Run } from "../../domain/run/run.ts";
import { type Page, type PageQuery, pageOf, pageRows } from "../schema/cursor.ts";
import { attempts as attemptsTable, type Reader, runs as runsTable } from "../schema/schema.ts";

/** Each with its runs in the order in which they work. Two queries for any page size. */
export async function pageAttempts(
  db: Reader,
  query: PageQuery,
): Promise<Page<{ readonly attempt: Attempt; readonly runs: readonly Run[] }>> {
  const rows = await pageRows(db.selectFrom("attempts").selectAll(), query, "createdAt").execute();
  const page = pageOf(rows.map(attemptsTable.read), query, "createdAt");
  const ids = page.items.map(({ id }) => id);
  const found =
    ids.length === 0
      ? []
      : await db
          .selectFrom("runs")
          .selectAll()
          .where("attemptId", "in", ids)
          .orderBy("attemptId")
          .orderBy("queuePlace")
          .execute();
  const runs = Map.groupBy(found.map(runsTable.read), (run) => run.attemptId);
  return {
    items: page.items.map((attempt) => ({ attempt, runs: runs.get(attempt.id) ?? [] })),
    next: page.next,
  };
}

/** Each with its task. Two queries for any page size. */
export async function pageRuns(
  db: Reader,
  query: PageQuery,
): Promise<Page<{ readonly run: Run; readonly taskId: string }>> {
  const rows = await pageRows(db.selectFrom("runs").selectAll(), query, "createdAt").execute();
  const page = pageOf(rows.map(runsTable.read), query, "createdAt");
  const attempts = [...new Set(page.items.map((run) => run.attemptId))];
  const found =
    attempts.length === 0
      ? []
      : await db.selectFrom("attempts").select(["id", "taskId"]).where("id", "in", attempts).execute();
  const tasks = new Map(found.map((row) => [row.id, row.taskId]));
  return {
    items: page.items.map((run) => ({ run, taskId: tasks.get(run.attemptId) ?? "" })),
    next: page.next,
  };
}
