/** Finds the task and the repository that an attempt belongs to. */
import type { Attempt } from "../../domain/attempt/attempt.ts";
import type { Repository } from "../../domain/repository/repository.ts";
import type { Task } from "../../domain/task/task.ts";
import type { Reader } from "../../storage/schema/schema.ts";
import { getAttempt } from "../../storage/tables/attempts.ts";
import { getRepository } from "../../storage/tables/repositories.ts";
import { getTask } from "../../storage/tables/tasks.ts";

export interface AttemptPlace {
  readonly attempt: Attempt;
  readonly task: Task;
  readonly repository: Repository;
}

/** An attempt, and the repository in which it works. */
export type AttemptInRepository = Pick<AttemptPlace, "attempt" | "repository">;

/** Null if there is no such attempt. */
export async function findPlace(reader: Reader, attemptId: string): Promise<AttemptPlace | null> {
  const attempt = await getAttempt(reader, attemptId);
  return attempt === null ? null : findPlaceOf(reader, attempt);
}

/** The same for an attempt that was read before. */
export async function findPlaceOf(reader: Reader, attempt: Attempt): Promise<AttemptPlace | null> {
  const task = await getTask(reader, attempt.taskId);
  const repository = task && (await getRepository(reader, task.repositoryId));
  return repository ? { attempt, task, repository } : null;
}
