/** Finds the attempt that an agent names, and words it for an agent if that is not one. */
import type { Result } from "neverthrow";
import { findNamed, type NamedAttempt, onlyAttempt } from "../../contract/client/named-thing.ts";
import type { ApiError } from "../../contract/problem.ts";
import type { AttemptDocument } from "../../contract/task-document.ts";
import type { Engine } from "./control-tool.ts";

export async function findAttempt(engine: Engine, id: string): Promise<Result<NamedAttempt, ApiError>> {
  const named = await findNamed(engine, id);
  return named.andThen((found) => onlyAttempt(found, (attempts) => notOneAttempt(id, attempts)));
}

function notOneAttempt(id: string, attempts: readonly AttemptDocument[]): ApiError {
  const named = attempts.map((attempt) => `${attempt.id} (${attempt.agent})`).join(", ");
  return {
    kind: "bad_request",
    code: "bad_request",
    message: `${JSON.stringify(id)} is a task with ${attempts.length} attempts.`,
    remedy: attempts.length === 0 ? "Name an attempt or a run." : `Name one of them: ${named}.`,
    details: { attempts: attempts.map((attempt) => attempt.id) },
  };
}
