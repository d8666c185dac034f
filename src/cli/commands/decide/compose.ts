/** Makes an attempt of files of several attempts, waits for it, and says what came from which. */

import { err, ok, type Result } from "neverthrow";
import type { NamedThing } from "../../../contract/client/named-thing.ts";
import type { ComposeRequest } from "../../../contract/endpoints/decisions.ts";
import { badUsage } from "../../shared/cli-error.ts";
import type { CliError } from "../../shared/cli-options.ts";
import { argument, defineCommand, START_FLAGS, textsFlag } from "../../shared/command.ts";
import type { Engine } from "../../shared/engine.ts";
import { refuseTooLarge } from "../../shared/instruction.ts";
import { resolveAny, resolveAttempt } from "../../shared/resolve-id.ts";
import { startOnTask } from "../../wait/start-on-attempt.ts";

export const composeCommand = defineCommand({
  brief: "Make a new attempt of files of several attempts; checks run on it before it is offered",
  args: [argument("TASK", "The task, or one of its attempts")],
  flags: {
    take: textsFlag(
      "A file or folder of an attempt; `.` for all; the attempt by id or letter",
      "ATTEMPT:PATH",
    ),
    ...START_FLAGS,
  },
  async *act(scope, flags, id) {
    const { engine } = scope;
    const wanted = yield* readTakes(flags.take);
    const found = yield* await resolveAny(engine, id);
    const take = yield* await namedAttempts(engine, found, wanted);
    const request: ComposeRequest = { take, settings: scope.environment.task };
    const tooLarge = refuseTooLarge(request, { "--take": JSON.stringify(take) });
    if (tooLarge !== null) return err(tooLarge);
    const ask = () => engine.ask((client, once) => client.compose(found.found.task, request, once));
    return startOnTask({ scope, document: found.document, flags, ask });
  },
});

interface Wanted {
  /** An id, the beginning of one, or a letter. */
  readonly attempt: string;
  readonly path: string;
}

/** The first colon ends the attempt: a path may have more of them. */
function readTakes(given: readonly string[]): Result<readonly Wanted[], CliError> {
  const how = "Name what to take, such as `--take 1a2b3c4d:src/a.ts`; the flag may be repeated.";
  if (given.length === 0) return err(badUsage("--take is missing.", how));
  const wanted: Wanted[] = [];
  for (const text of given) {
    const colon = text.indexOf(":");
    const [attempt, path] = [text.slice(0, Math.max(0, colon)), text.slice(colon + 1)];
    if (attempt === "" || path === "")
      return err(badUsage(`--take ${JSON.stringify(text)} is not ATTEMPT:PATH.`, how));
    wanted.push({ attempt, path });
  }
  return ok(wanted);
}

/** The same with whole ids. Capital letters are those of `tazuna compare`; ids have none. */
async function namedAttempts(
  engine: Engine,
  { found: { task } }: NamedThing,
  wanted: readonly Wanted[],
): Promise<Result<Wanted[], CliError>> {
  const ids = new Map<string, string>();
  const names = [...new Set(wanted.map(({ attempt }) => attempt))];
  if (names.some((name) => LETTER.test(name))) {
    const compared = await engine.ask((client) => client.compare(task, { hide_names: true }));
    if (compared.isErr()) return err(compared.error);
    for (const { letter, id } of compared.value.attempts) ids.set(letter, id);
  }
  for (const name of names.filter((each) => !ids.has(each))) {
    if (LETTER.test(name)) return err(noLetter(task, name));
    const found = await resolveAttempt(engine, name);
    if (found.isErr()) return err(found.error);
    ids.set(name, found.value.attempt.id);
  }
  return ok(wanted.map(({ attempt, path }) => ({ attempt: ids.get(attempt) ?? attempt, path })));
}

const LETTER = /^[A-Z]{1,2}$/;

function noLetter(task: string, letter: string): CliError {
  return badUsage(
    `The task has no attempt ${letter}.`,
    `\`tazuna compare ${task.slice(0, 8)}\` shows the letters of its attempts.`,
  );
}
