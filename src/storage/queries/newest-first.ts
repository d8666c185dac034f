/** Lists attempts and runs of all tasks, newest first, in pages. */
import type { Attempt } from "../../domain/attempt/attempt.ts";
import type { Run } from "../../domain/run/run.ts";
import { attempts as attemptsTable, type Reader, runs as runsTable } from "../schema/schema.ts";
import { type Cursor, type Page, pageOf } from "../tables/cursor.ts";

interface PageQuery {
  readonly cursor: Cursor | null;
  readonly limit: number;
}

/** Each with its runs by number. Two queries for any page size. */
export async function pageAttempts(
  db: Reader,
  query: PageQuery,
): Promise<Page<{ readonly attempt: Attempt; readonly runs: readonly Run[] }>> {
  const { cursor } = query;
  const rows = await db
    .selectFrom("attempts")
    .selectAll()
    .$if(cursor !== null, (select) =>
      select.where((eb) =>
        eb(eb.refTuple("createdAt", "id"), "<", eb.tuple(cursor?.at ?? "", cursor?.id ?? "")),
      ),
    )
    .orderBy("createdAt", "desc")
    .orderBy("id", "desc")
    .limit(query.limit + 1)
    .execute();
  const page = pageOf(rows.map(attemptsTable.read), query.limit, cursorOf);
  const ids = page.items.map(({ id }) => id);
  const found =
    ids.length === 0
      ? []
      : await db
          .selectFrom("runs")
          .selectAll()
          .where("attemptId", "in", ids)
          .orderBy("attemptId")
          .orderBy("number")
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
  const { cursor } = query;
  const rows = await db
    .selectFrom("runs")
    .selectAll()
    .$if(cursor !== null, (select) =>
      select.where((eb) =>
        eb(eb.refTuple("createdAt", "id"), "<", eb.tuple(cursor?.at ?? "", cursor?.id ?? "")),
      ),
    )
    .orderBy("createdAt", "desc")
    .orderBy("id", "desc")
    .limit(query.limit + 1)
    .execute();
  const page = pageOf(rows.map(runsTable.read), query.limit, cursorOf);
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

const cursorOf = ({ createdAt, id }: { readonly createdAt: string; readonly id: string }): Cursor => ({
  at: createdAt,
  id,
});
