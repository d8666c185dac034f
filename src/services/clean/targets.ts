/** Finds the attempts that a clean-up is about: those of an id, or all that are not cleaned up yet. */
import { err, ok, type Result } from "neverthrow";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import { attemptsOfTask, getAttempt } from "../../storage/attempts.ts";
import { attemptRows } from "../../storage/ledger-rows.ts";
import type { ServiceContext } from "../context.ts";
import { findId } from "../queries/task-detail.ts";
import type { Refusal } from "../services.ts";

/** A run stands for its attempt, a task for all of its attempts. One that is cleaned up already is none of them: asked again, all is done. */
export async function attemptsToJudge(
  context: ServiceContext,
  id: string | null,
): Promise<Result<readonly Attempt[], Refusal>> {
  const { reader } = context.db;
  if (id === null) {
    const rows = (await attemptRows(reader)).filter(({ state }) => state !== "removed");
    const attempts = await Promise.all(rows.map((row) => getAttempt(reader, row.id)));
    return ok(attempts.filter((attempt) => attempt !== null));
  }
  const found = await findId(context, id);
  if (found.isErr()) return err(found.error);
  const { attemptId, taskId } = found.value;
  const attempts = (await attemptsOfTask(reader, taskId)).filter(({ state }) => state !== "removed");
  return ok(attemptId === null ? attempts : attempts.filter((attempt) => attempt.id === attemptId));
}
