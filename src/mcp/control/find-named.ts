/** Finds the task, attempt or run that an id or its beginning names, with its task. */
import { err, ok, type Result } from "neverthrow";
import type { FoundAnswer } from "../../contract/endpoints/tasks.ts";
import type { ApiError } from "../../contract/problem.ts";
import type { AttemptDocument, TaskDocument } from "../../contract/task-document.ts";
import type { Engine } from "./control-tool.ts";

interface NamedThing {
  readonly found: FoundAnswer;
  readonly document: TaskDocument;
}

interface NamedAttempt extends NamedThing {
  readonly attempt: AttemptDocument;
}

/** A thing of any kind. */
export async function findNamed(engine: Engine, id: string): Promise<Result<NamedThing, ApiError>> {
  const found = await engine.ask((client) => client.find({ id }));
  if (found.isErr()) return err(found.error);
  const document = await engine.ask((client) => client.task(found.value.task));
  return document.map((value) => ({ found: found.value, document: value }));
}

/** An attempt: itself, that of a run, or the only one of a task. */
export async function findAttempt(engine: Engine, id: string): Promise<Result<NamedAttempt, ApiError>> {
  const named = await findNamed(engine, id);
  if (named.isErr()) return err(named.error);
  const { found, document } = named.value;
  const attempts = document.attempts.filter((each) => found.attempt === null || each.id === found.attempt);
  const [attempt] = attempts;
  if (attempt !== undefined && attempts.length === 1) return ok({ ...named.value, attempt });
  return err(severalAttempts(id, attempts));
}

/** The document with the attempts of this thing only. */
export function partOf({ found, document }: NamedThing): TaskDocument {
  if (found.attempt === null) return document;
  return { ...document, attempts: document.attempts.filter(({ id }) => id === found.attempt) };
}

function severalAttempts(id: string, attempts: readonly AttemptDocument[]): ApiError {
  const named = attempts.map((attempt) => `${attempt.id} (${attempt.agent})`).join(", ");
  return {
    kind: "bad_request",
    code: "bad_request",
    message: `${JSON.stringify(id)} is a task with ${attempts.length} attempts.`,
    remedy: attempts.length === 0 ? "Name an attempt or a run." : `Name one of them: ${named}.`,
    details: { attempts: attempts.map((attempt) => attempt.id) },
  };
}
