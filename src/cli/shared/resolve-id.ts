/** Finds the thing that an id or its beginning names, as the kind that a command works on. */
import { err, ok, type Result } from "neverthrow";
import {
  findNamed,
  type NamedAttempt,
  type NamedThing,
  onlyAttempt,
} from "../../contract/client/named-thing.ts";
import type { AttemptDocument, RunDocument, TaskDocument } from "../../contract/task-document.ts";
import { newestRun, workRuns } from "../../contract/words/attempt-standing.ts";
import { badUsage } from "./cli-error.ts";
import type { CliError } from "./cli-options.ts";
import type { Engine } from "./engine.ts";

interface FoundRun extends NamedAttempt {
  readonly run: RunDocument;
}

/** A thing of any kind, with its task. */
export function resolveAny(engine: Engine, id: string): Promise<Result<NamedThing, CliError>> {
  if (id.trim() === "")
    return Promise.resolve(err(badUsage("The id is empty.", "`tazuna list` shows the ids.")));
  return findNamed(engine, id);
}

/** An attempt: itself, that of a run, or the only one of a task. */
export async function resolveAttempt(engine: Engine, id: string): Promise<Result<NamedAttempt, CliError>> {
  const any = await resolveAny(engine, id);
  return any.andThen((found) => onlyAttempt(found, (attempts) => notOneAttempt(id, attempts)));
}

/** A run: itself, or the latest work on an attempt. */
export async function resolveRun(engine: Engine, id: string): Promise<Result<FoundRun, CliError>> {
  const parent = await resolveAttempt(engine, id);
  if (parent.isErr()) return err(parent.error);
  const { found, attempt } = parent.value;
  const run =
    found.type === "run" ? attempt.runs.find((each) => each.id === found.id) : newestRun(workRuns(attempt));
  if (run !== undefined) return ok({ ...parent.value, run });
  return err(badUsage(`The attempt ${shortId(attempt.id)} has no run yet.`, "Try again in a moment."));
}

/** The whole ids of comments on an attempt's patch, in the order that was given. */
export async function resolveComments(
  engine: Engine,
  attempt: string,
  given: readonly string[],
): Promise<Result<string[], CliError>> {
  if (given.length === 0) return ok([]);
  const listed = await engine.ask((client) => client.comments(attempt));
  if (listed.isErr()) return err(listed.error);
  const ids: string[] = [];
  for (const prefix of given) {
    const fitting = listed.value.items.filter(({ id }) => prefix !== "" && id.startsWith(prefix));
    const [comment] = fitting;
    if (comment === undefined || fitting.length > 1) {
      const what = comment === undefined ? "No comment" : "More than one comment";
      const message = `${what} on the attempt ${shortId(attempt)} has the id "${prefix}".`;
      return err(badUsage(message, `\`tazuna show ${shortId(attempt)}\` lists its comments.`));
    }
    ids.push(comment.id);
  }
  return ok(ids);
}

/** The id as people see it: unique enough, and accepted everywhere. */
export function shortId(id: string): string {
  return id.slice(0, 8);
}

/** The document with these attempts only. */
export function onlyAttempts(document: TaskDocument, ids: readonly string[]): TaskDocument {
  return { ...document, attempts: document.attempts.filter((attempt) => ids.includes(attempt.id)) };
}

function notOneAttempt(id: string, attempts: readonly AttemptDocument[]): CliError {
  const named = attempts.map((attempt) => `${shortId(attempt.id)} (${attempt.agent})`).join(", ");
  return badUsage(
    `"${id}" is a task with ${attempts.length} attempts.`,
    attempts.length === 0 ? "Name an attempt or a run." : `Name one of them: ${named}.`,
    { attempts: attempts.map((attempt) => attempt.id) },
  );
}
