/** Finds the task and the repository that an attempt belongs to. */
import { err, ok, type Result } from "neverthrow";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import type { Repository } from "../../domain/repository/repository.ts";
import type { Task } from "../../domain/task/task.ts";
import type { Reader } from "../../storage/schema/schema.ts";
import { getAttempt, repositoryOfAttempt } from "../../storage/tables/attempts.ts";
import { getRepository } from "../../storage/tables/repositories.ts";
import { getTask } from "../../storage/tables/tasks.ts";
import type { Uses } from "./context-parts.ts";
import { refuseElsewhere } from "./held-elsewhere.ts";
import { notFound, type Refusal } from "./refusal.ts";

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

/** The same for an act on its files: refused if another data folder holds them. */
export async function findPlaceHere(
  context: Uses<"db" | "owner">,
  attemptId: string,
): Promise<Result<AttemptPlace, Refusal>> {
  const place = await findPlace(context.db.reader, attemptId);
  if (place === null) return err(notFound("attempt", attemptId));
  const elsewhere = await refuseElsewhere(context, attemptId);
  return elsewhere === null ? ok(place) : err(elsewhere);
}

/** The place of an attempt that was read before. */
export async function findPlaceOf(reader: Reader, attempt: Attempt): Promise<AttemptPlace | null> {
  const task = await getTask(reader, attempt.taskId);
  const clone = task && (await repositoryOfAttempt(reader, attempt.id));
  const repository = clone && (await getRepository(reader, clone));
  return repository ? { attempt, task, repository } : null;
}
