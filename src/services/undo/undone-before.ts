/** Finds out whether an undo was done whose engine was killed before it could say so. */
import type { Operation } from "../../domain/operation.ts";
import { readRef } from "../../git/refs.ts";
import { getAttempt } from "../../storage/attempts.ts";
import { getRepository } from "../../storage/repositories.ts";
import { getRun } from "../../storage/runs.ts";
import { getTask } from "../../storage/tasks.ts";
import type { ServiceContext } from "../context.ts";
import { repositoryTarget } from "../worktrees/targets.ts";

/** What the undo came to: the reference is where it was to go. Null where it was not moved. Throws where git cannot say. */
export async function undoneBefore(
  context: ServiceContext,
  { subject, before }: Operation,
): Promise<Operation["after"]> {
  const { reader } = context.db;
  const run = subject.type === "run" ? await getRun(reader, subject.id) : null;
  const attempt = await getAttempt(reader, run?.attemptId ?? subject.id);
  const task = attempt && (await getTask(reader, attempt.taskId));
  const repository = task && (await getRepository(reader, task.repositoryId));
  const { ref, to } = before ?? {};
  if (!repository || typeof ref !== "string") return null;
  const now = await readRef(context.git, repositoryTarget(repository), ref);
  if (now.isErr()) throw new Error(now.error.message);
  return now.value === to ? { ref, sha: now.value } : null;
}
