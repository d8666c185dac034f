/** Shows one task as the doors want it: with everything below it and what lies beside the rows. */
import { err, ok, type Result } from "neverthrow";
import { findByPrefix } from "../../storage/find-by-prefix.ts";
import { getRepository } from "../../storage/repositories.ts";
import { getTaskTree, type TaskTree } from "../../storage/tasks.ts";
import type { ServiceContext } from "../context.ts";
import { notFound, refuse } from "../refusal.ts";
import type { Found, Refusal, TaskDetail } from "../services.ts";
import { runViews } from "./run-views.ts";

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

/** A task as it was read, with what the doors show beside it. */
export async function detailOf(context: ServiceContext, tree: TaskTree): Promise<TaskDetail> {
  const repository = await getRepository(context.db.reader, tree.task.repositoryId);
  if (repository === null) throw new Error(`task ${tree.task.id} has no repository`);
  const views = await runViews(
    context,
    tree.attempts.flatMap(({ runs }) => runs),
  );
  const of = Map.groupBy(views, (run) => run.attemptId);
  return {
    task: tree.task,
    repository,
    attempts: tree.attempts.map(({ attempt }) => ({ attempt, runs: of.get(attempt.id) ?? [] })),
  };
}
