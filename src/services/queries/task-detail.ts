/** Shows tasks, attempts and runs as the doors want them: with what lies beside their rows. */
import { stat } from "node:fs/promises";
import { err, ok, type Result } from "neverthrow";
import type { Fact } from "../../domain/operation.ts";
import type { Run } from "../../domain/run/run.ts";
import { waitingNow } from "../../domain/run/waiting.ts";
import { readCursor, writeCursor } from "../../storage/cursor.ts";
import { latestFacts } from "../../storage/facts.ts";
import { findByPrefix } from "../../storage/find-by-prefix.ts";
import { getRepository } from "../../storage/repositories.ts";
import { getTaskTree, pageTasks, type TaskTree } from "../../storage/tasks.ts";
import type { ServiceContext } from "../context.ts";
import { notFound, refuse } from "../refusal.ts";
import { patchFile } from "../runs/take-patch.ts";
import { WAITS } from "../runs/tell-waiting.ts";
import type { Found, Refusal, RunView, TaskDetail } from "../services.ts";

/** What an id, or a unique prefix of one, points at. */
export async function findId(context: ServiceContext, prefix: string): Promise<Result<Found, Refusal>> {
  const match = await findByPrefix(context.db.reader, prefix);
  switch (match.kind) {
    case "found":
      return ok({ type: match.type, id: match.id, attemptId: match.attemptId, taskId: match.taskId });
    case "none":
      return err(notFound("task, attempt or run", prefix));
    case "ambiguous":
      return err(
        refuse("bad_request", "ambiguous_id", `"${prefix}" is the beginning of several ids.`, {
          remedy: "Give more characters of it.",
          details: { candidates: match.candidates.map(({ type, id }) => ({ type, id })) },
        }),
      );
  }
}

/** One task with everything below it. */
export async function taskDetail(
  context: ServiceContext,
  taskId: string,
): Promise<Result<TaskDetail, Refusal>> {
  const tree = await getTaskTree(context.db.reader, taskId);
  return tree === null ? err(notFound("task", taskId)) : ok(await detailOf(context, tree));
}

/** Tasks, newest first. */
export async function listTasks(
  context: ServiceContext,
  query: { readonly all: boolean; readonly cursor: string | null; readonly limit: number },
): Promise<Result<{ items: readonly TaskDetail[]; next: string | null }, Refusal>> {
  const cursor = query.cursor === null ? null : readCursor(query.cursor);
  if (query.cursor !== null && cursor === null)
    return err(
      refuse("bad_request", "bad_cursor", "The cursor is not one of ours.", {
        remedy: "Use the `next` of a page.",
      }),
    );
  const page = await pageTasks(context.db.reader, { all: query.all, cursor, limit: query.limit });
  const items: TaskDetail[] = [];
  for (const tree of page.items) items.push(await detailOf(context, tree));
  return ok({ items, next: page.next === null ? null : writeCursor(page.next) });
}

async function detailOf(context: ServiceContext, tree: TaskTree): Promise<TaskDetail> {
  const repository = await getRepository(context.db.reader, tree.task.repositoryId);
  if (repository === null) throw new Error(`task ${tree.task.id} has no repository`);
  const all = tree.attempts.flatMap(({ runs }) => runs);
  const idle = all.filter(({ phase }) => phase === "queued" || phase === "waiting");
  const actions = await latestOf(context, "run.action", all);
  const waits = await latestOf(context, WAITS, idle);
  const attempts = [];
  for (const { attempt, runs } of tree.attempts) {
    const views: RunView[] = [];
    for (const run of runs)
      views.push(await runView(context, run, { action: actions.get(run.id), waits: waits.get(run.id) }));
    attempts.push({ attempt, runs: views });
  }
  return { task: tree.task, repository, attempts };
}

function latestOf(
  context: ServiceContext,
  kind: string,
  runs: readonly Run[],
): Promise<ReadonlyMap<string, Fact>> {
  return latestFacts(context.db.reader, { kind, runIds: runs.map(({ id }) => id) });
}

async function runView(
  context: ServiceContext,
  run: Run,
  { action, waits }: { readonly action: Fact | undefined; readonly waits: Fact | undefined },
): Promise<RunView> {
  const path = patchFile(context, run.id);
  const hasPatch = (run.patch?.files ?? 0) > 0 && (await stat(path).catch(() => null)) !== null;
  return {
    ...run,
    patchPath: hasPatch ? path : null,
    lastAction: action === undefined ? null : { at: action.at, text: String(action.data.title ?? "") },
    waitsFor: waitingNow(run, waits),
  };
}
