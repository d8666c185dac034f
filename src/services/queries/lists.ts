/** Lists tasks, attempts, runs and operations in pages, the newest first. */
import { isAbsolute } from "node:path";
import { err, ok, type Result } from "neverthrow";
import { standingOf } from "../../domain/attempt/attempt-state.ts";
import type { Operation } from "../../domain/operation.ts";
import type { Repository } from "../../domain/repository/repository.ts";
import { pageAttempts, pageRuns } from "../../storage/queries/newest-first.ts";
import { type Cursor, type Page, readCursor, writeCursor } from "../../storage/schema/cursor.ts";
import { attemptsOfTask } from "../../storage/tables/attempts.ts";
import { pageOperations } from "../../storage/tables/operations.ts";
import { repositoriesOf } from "../../storage/tables/repositories.ts";
import { runsOfAttempt } from "../../storage/tables/runs.ts";
import { pageTasks, type TaskTree } from "../../storage/tables/tasks.ts";
import type { AttemptDetail, ListPage, RunWithTask, TaskDetail } from "../core/answer-shapes.ts";
import type { Uses } from "../core/context-parts.ts";
import { BAD_CURSOR, type Refusal } from "../core/refusal.ts";
import type { AttemptQuery, OperationQuery, PageQuery, RunQuery, TaskQuery } from "../core/request-shapes.ts";
import { namedAnywhere } from "../repositories/named-repository.ts";
import { discoverRefusal } from "../repositories/register-repository.ts";
import { repositoryAt } from "../repositories/repository-at.ts";
import { sameElsewhere } from "../repositories/same-elsewhere.ts";
import { withUndoable } from "../undo/can-undo.ts";
import { attemptDetails, factsAtRest } from "./attempt-details.ts";
import { runViews } from "./run-views.ts";
import { detailsOf } from "./task-detail.ts";

export type Listed<T> = Promise<Result<ListPage<T>, Refusal>>;

/**
 * Tasks with their runs, and with those of their attempts that match. A task without a matching attempt is left out.
 */
export async function listTasks(
  context: Uses<"db" | "owner" | "git" | "paths" | "configuration" | "diskFullRuns">,
  query: TaskQuery,
): Listed<TaskDetail> {
  const repositories = await repositoriesWanted(context, query.repository);
  if (repositories.isErr()) return err(repositories.error);
  const repositoryIds = repositories.value?.map(({ id }) => id);
  const asked = { ...query, repositoryIds };
  return listed(query, {
    read: async (cursor) =>
      repositoryIds?.length === 0 ? NO_PAGE : pageTasks(context.db.reader, { ...asked, cursor }),
    show: (trees) => {
      const wanted = trees.map(({ task, attempts }) => ({
        task,
        attempts: attempts.filter((each) => isWanted(each, query)),
      }));
      return detailsOf(
        context,
        wanted.filter(({ attempts }) => attempts.length > 0),
      );
    },
  });
}

const NO_PAGE = { items: [], next: null };

/**
 * Null if tasks of every repository are wanted. A folder means its checkout and all others of the same git repository.
 * None is known if Tazuna was never used in them. Those of other workers with the same address belong to it.
 */
async function repositoriesWanted(
  context: Uses<"db" | "git" | "paths" | "owner">,
  named: string | null,
): Promise<Result<readonly Repository[] | null, Refusal>> {
  if (named === null) return ok(null);
  const { reader } = context.db;
  const meant = isAbsolute(named)
    ? (await repositoryAt(context, named))
        .mapErr((error) => discoverRefusal(error, named))
        .map(({ commonDir }) => repositoriesOf(reader, commonDir))
    : (await namedAnywhere(context, named)).map(async (one) => [one]);
  if (meant.isErr()) return err(meant.error);
  const ones = await meant.value;
  const others = await sameElsewhere(context, ones);
  return ok([...ones, ...others.map(({ repository }) => repository)]);
}

/** An attempt whose clean-up fails is shown until it is gone. */
function isWanted(listed: TaskTree["attempts"][number], query: TaskQuery): boolean {
  const { attempt } = listed;
  if (query.agent !== null && attempt.agent !== query.agent) return false;
  return isInState(listed, query) && (query.all || attempt.state === "open" || attempt.cleanUp !== null);
}

/** The state as the runs alone decide it. */
function isInState(
  { attempt, runs }: TaskTree["attempts"][number],
  { failed, state }: Pick<TaskQuery, "failed" | "state">,
): boolean {
  if (!failed && state === null) return true;
  const now = standingOf(attempt.state, runs.map(factsAtRest), undefined, attempt.merged).state;
  return (!failed || now === "failed") && (state === null || now === state);
}

/** Attempts of every task, with their runs. */
export async function listAttempts(
  context: Uses<"db" | "owner" | "git" | "paths" | "configuration" | "diskFullRuns">,
  query: AttemptQuery,
): Listed<AttemptDetail> {
  const repositories = await repositoriesWanted(context, query.repository);
  if (repositories.isErr()) return err(repositories.error);
  const repositoryIds = repositories.value?.map(({ id }) => id);
  return listed(query, {
    read: (cursor) => pageAttempts(context.db.reader, { ...query, repositoryIds, cursor }),
    show: (rows) =>
      attemptDetails(
        context,
        rows.filter((row) => isInState(row, query)),
      ),
  });
}

/** Runs of every attempt. */
export async function listRuns(
  context: Uses<"db" | "owner" | "git" | "paths" | "diskFullRuns">,
  query: RunQuery,
): Listed<RunWithTask> {
  const repositories = await repositoriesWanted(context, query.repository);
  if (repositories.isErr()) return err(repositories.error);
  const repositoryIds = repositories.value?.map(({ id }) => id);
  return listed(query, {
    read: (cursor) => pageRuns(context.db.reader, { ...query, repositoryIds, cursor }),
    show: async (rows) => {
      const views = await runViews(
        context,
        rows.map(({ run }) => run),
      );
      return views.map((run, index) => ({ run, taskId: rows[index]?.taskId ?? "" }));
    },
  });
}

/** Operations of one subject and of all that belongs to it (a task's attempts, their runs), or all operations. */
export async function listOperations(
  context: Uses<"db" | "owner" | "git" | "paths" | "configuration">,
  { subject, text, named, ...query }: OperationQuery,
): Listed<Operation> {
  const repositories = await repositoriesWanted(context, query.repository);
  if (repositories.isErr()) return err(repositories.error);
  const repositoryIds = repositories.value?.map(({ id }) => id);
  const subjects = subject === null ? null : await withWhatBelongs(context, subject);
  const words = (text ?? "").split(/\s+/).filter((word) => word !== "");
  const kinds = named.split(",").filter((kind) => kind !== "");
  const asked = { ...query, repositoryIds, subjects, words, named: kinds };
  return listed(query, {
    read: (cursor) => pageOperations(context.db.reader, { ...asked, cursor }),
    show: async (operations) => {
      const shown = await withUndoable(context, operations);
      return query.undoable ? shown.filter(({ undoable }) => undoable) : shown;
    },
  });
}

async function withWhatBelongs({ db }: Uses<"db">, subject: string): Promise<readonly string[]> {
  const attempts = [subject, ...(await attemptsOfTask(db.reader, subject)).map(({ id }) => id)];
  const runs = await Promise.all(attempts.map((id) => runsOfAttempt(db.reader, id)));
  return [...attempts, ...runs.flat().map(({ id }) => id)];
}

export async function listed<Row, Item>(
  query: PageQuery,
  pages: {
    readonly read: (cursor: Cursor | null) => Promise<Page<Row>>;
    readonly show: (rows: readonly Row[]) => Promise<readonly Item[]>;
  },
): Listed<Item> {
  const cursor = query.cursor === null ? null : readCursor(query.cursor);
  if (query.cursor !== null && cursor === null) return err(BAD_CURSOR);
  for (let from = cursor; ; ) {
    const page = await pages.read(from);
    const items = await pages.show(page.items);
    from = page.next;
    // A page without a matching item is not the end of the list.
    if (items.length > 0 || from === null) return ok({ items, next: from && writeCursor(from) });
  }
}
