/** Reads one task with its attempts and runs, and with what is not in their rows. */
import { err, ok, type Result } from "neverthrow";
import { findByPrefix } from "../../storage/queries/find-by-prefix.ts";
import { getRepository } from "../../storage/tables/repositories.ts";
import { getTaskTree, type TaskTree } from "../../storage/tables/tasks.ts";
import type { ResolvedId, TaskDetail } from "../core/answer-shapes.ts";
import type { Uses } from "../core/context-parts.ts";
import { notFound, type Refusal, refused } from "../core/refusal.ts";
import { attemptDetails } from "./attempt-details.ts";

/** One task with its attempts and runs. */
export async function taskDetail(
  context: Uses<"db" | "owner" | "git" | "paths" | "configuration" | "diskFullRuns">,
  taskId: string,
): Promise<Result<TaskDetail, Refusal>> {
  const tree = await getTaskTree(context.db.reader, taskId);
  const [detail] = tree === null ? [] : await detailsOf(context, [tree]);
  return detail === undefined ? err(notFound("task", taskId)) : ok(detail);
}

/** The task, attempt or run that an id or a unique prefix means. */
export async function findId(context: Uses<"db">, prefix: string): Promise<Result<ResolvedId, Refusal>> {
  const match = await findByPrefix(context.db.reader, prefix);
  switch (match.kind) {
    case "found":
      return ok({ type: match.type, id: match.id, attemptId: match.attemptId, taskId: match.taskId });
    case "none":
      return err(notFound("task, attempt or run", prefix));
    case "ambiguous":
      return refused("bad_request", "ambiguous_id", `"${prefix}" fits several things.`, {
        remedy: `Give the id of one of them: ${match.candidates.map(({ type, id }) => `${type} ${id}`).join(", ")}.`,
        details: { candidates: match.candidates.map(({ type, id }) => ({ type, id })) },
      });
  }
}

/** Adds attempts and runs to tasks that were read already. */
export async function detailsOf(
  context: Uses<"db" | "owner" | "git" | "paths" | "configuration" | "diskFullRuns">,
  trees: readonly TaskTree[],
): Promise<readonly TaskDetail[]> {
  const details = await attemptDetails(
    context,
    trees.flatMap(({ attempts }) => attempts),
    new Map(trees.map(({ task }) => [task.id, task])),
  );
  const attempts = Map.groupBy(details, ({ attempt }) => attempt.taskId);
  const shown: TaskDetail[] = [];
  for (const { task } of trees) {
    const repository = await getRepository(context.db.reader, task.repositoryId);
    if (repository === null) throw new Error(`task ${task.id} has no repository`);
    const own = attempts.get(task.id) ?? [];
    const decision = own[0]?.decision;
    shown.push({ task, repository, attempts: own, ...(decision === undefined ? {} : { decision }) });
  }
  return shown;
}
