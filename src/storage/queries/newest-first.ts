/** Lists attempts and runs of all tasks, newest first, in pages. */
import type { Attempt } from "../../domain/attempt/attempt.ts";
import type { Run } from "../../domain/run/run.ts";
import { toTime } from "../schema/column-codecs.ts";
import { type Page, type PageQuery, pageOf, pageRows } from "../schema/cursor.ts";
import { attempts as attemptsTable, type Reader, runs as runsTable } from "../schema/schema.ts";

/** What a list is narrowed to; what is absent or null narrows nothing. */
interface Narrowed {
  /** At least one. */
  readonly repositoryIds?: readonly string[] | undefined;
  readonly agent?: string | null;
  /** Created then or later, UTC ISO. */
  readonly since?: string | null;
  /** Only what has, or is, a failed run. */
  readonly failed?: boolean;
}

/** Each with its runs in the order in which they work. Two queries for any page size. */
export async function pageAttempts(
  db: Reader,
  query: PageQuery & Narrowed,
): Promise<Page<{ readonly attempt: Attempt; readonly runs: readonly Run[] }>> {
  const wanted = db
    .selectFrom("attempts")
    .selectAll()
    .$if(narrowsAttempts(query), (select) => select.where("id", "in", attemptsWanted(db, query)))
    .$if(query.since != null, (select) => select.where("createdAt", ">=", toTime(query.since ?? "")))
    .$if(query.failed === true, (select) => select.where("id", "in", withFailures(db)));
  const rows = await pageRows(wanted, query, "createdAt").execute();
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
  query: PageQuery & Narrowed & { readonly status?: string | null },
): Promise<Page<{ readonly run: Run; readonly taskId: string }>> {
  const status = query.failed === true ? "FAILED" : (query.status ?? null);
  const wanted = db
    .selectFrom("runs")
    .selectAll()
    .$if(narrowsAttempts(query), (select) => select.where("attemptId", "in", attemptsWanted(db, query)))
    .$if(query.since != null, (select) => select.where("createdAt", ">=", toTime(query.since ?? "")))
    .$if(status !== null, (select) => select.where("status", "=", status ?? ""));
  const rows = await pageRows(wanted, query, "createdAt").execute();
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

function narrowsAttempts({ repositoryIds, agent }: Narrowed): boolean {
  return repositoryIds !== undefined || agent != null;
}

function attemptsWanted(db: Reader, { repositoryIds, agent }: Narrowed) {
  return db
    .selectFrom("attempts as wanted")
    .innerJoin("tasks", "tasks.id", "wanted.taskId")
    .select("wanted.id")
    .$if(repositoryIds !== undefined, (select) =>
      select.where("tasks.repositoryId", "in", repositoryIds ?? []),
    )
    .$if(agent != null, (select) => select.where("wanted.agent", "=", agent ?? ""));
}

function withFailures(db: Reader) {
  return db.selectFrom("runs").select("attemptId").where("status", "=", "FAILED");
}
