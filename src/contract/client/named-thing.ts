/** Finds the task, attempt or run that an id or its beginning names, with its task. */
import { err, ok, type Result } from "neverthrow";
import type { FoundAnswer } from "../endpoints/tasks.ts";
import type { AttemptDocument, TaskDocument } from "../task-document.ts";
import type { SteadyClient } from "./steady-client.ts";

export interface NamedThing {
  readonly found: FoundAnswer;
  readonly document: TaskDocument;
}

export interface NamedAttempt extends NamedThing {
  readonly attempt: AttemptDocument;
}

type Asks<E> = Pick<SteadyClient<E>, "ask">;

/** A thing of any kind. */
export async function findNamed<E>(engine: Asks<E>, id: string): Promise<Result<NamedThing, E>> {
  const found = await engine.ask((client) => client.find({ id }));
  if (found.isErr()) return err(found.error);
  const document = await engine.ask((client) => client.task(found.value.task));
  return document.map((value) => ({ found: found.value, document: value }));
}

/** An attempt: itself, that of a run, or the only one of a task. `notOne` words that there is none, or several. */
export function onlyAttempt<E>(
  named: NamedThing,
  notOne: (attempts: readonly AttemptDocument[]) => E,
): Result<NamedAttempt, E> {
  const { attempts } = partOf(named);
  const [attempt] = attempts;
  return attempt !== undefined && attempts.length === 1 ? ok({ ...named, attempt }) : err(notOne(attempts));
}

/** The document with the attempts of this thing only. */
export function partOf({ found, document }: NamedThing): TaskDocument {
  if (found.attempt === null) return document;
  return { ...document, attempts: document.attempts.filter(({ id }) => id === found.attempt) };
}
