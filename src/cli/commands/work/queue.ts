/** Shows the queue of an attempt, and changes it: words, order, and which runs wait in it. */
import { err, ok, type Result } from "neverthrow";
import type { AttemptAlone, RunDocument } from "../../../contract/task-document.ts";
import { wordArgument } from "../../shared/checked-value.ts";
import { badUsage } from "../../shared/cli-error.ts";
import type { CliError } from "../../shared/cli-options.ts";
import { argument, defineCommand, optionalArgument, type Scope } from "../../shared/command.ts";
import { refuseTooLarge } from "../../shared/instruction.ts";
import { resolveAttempt, shortId } from "../../shared/resolve-id.ts";
import { queueText } from "../../view/queue-text.ts";

const HELP = "`tazuna queue --help` shows what it takes.";

const WORDS = ["list", "edit", "move", "remove"] as const;

export const queueCommand = defineCommand({
  brief: "Show what waits in the queue of an attempt; edit, move or remove a run before it begins",
  args: [
    argument("ATTEMPT", "The attempt"),
    { ...wordArgument("WHAT", "Show the queue, or change one run of it", WORDS), optional: true },
    optionalArgument("RUN", "A run of the queue"),
    optionalArgument("VALUE", "The new TEXT (`edit`), or the new place, 1 for the next (`move`)"),
  ],
  async *act(scope, _flags, id, what = "list", run, value) {
    const change = yield* changeOf(what, run, value);
    const { attempt } = yield* await resolveAttempt(scope.engine, id);
    if (change !== null) {
      const queued = yield* runMeant(attempt.id, attempt.runs, change.run);
      yield* await ask(scope, queued.id, change);
    }
    const shown = yield* await scope.engine.ask((client) => client.attempt(attempt.id));
    const queue = shown.runs.filter(({ position }) => position !== null);
    return ok({ document: { queue }, text: (columns) => queueText(shown, { columns }) });
  },
});

type Change = { readonly run: string } & (
  | { readonly what: "edit"; readonly text: string }
  | { readonly what: "move"; readonly position: number }
  | { readonly what: "remove" }
);

/** Null shows the queue only. */
function changeOf(
  what: (typeof WORDS)[number],
  run: string | undefined,
  value: string | undefined,
): Result<Change | null, CliError> {
  if (what === "list") return run === undefined ? ok(null) : err(tooMany(what, run));
  if (run === undefined || run.trim() === "") return err(missing(what, "the run"));
  if (what === "remove") return value === undefined ? ok({ what, run }) : err(tooMany(what, value));
  if (value === undefined) return err(missing(what, what === "edit" ? "the new text" : "the new place"));
  if (what === "edit") return editOf(run, value);
  if (/^[1-9]\d{0,8}$/.test(value)) return ok({ what, run, position: Number(value) });
  return err(
    badUsage(`"${value}" is no place in a queue.`, "Give a whole number: 1 is the place of the next run."),
  );
}

function editOf(run: string, text: string): Result<Change, CliError> {
  if (text.trim() === "")
    return err(badUsage("The text is empty.", "Say what is to be done, or take the run out with `remove`."));
  const large = refuseTooLarge({ instruction: text }, { "the text": text });
  return large === null ? ok({ what: "edit", run, text }) : err(large);
}

function missing(what: "edit" | "move" | "remove", part: string): CliError {
  return badUsage(`\`${what}\` needs ${part}.`, HELP);
}

function tooMany(what: string, word: string): CliError {
  return badUsage(`"${word}" is one argument too many for \`${what}\`.`, HELP);
}

/** A run of the attempt, by its id or the beginning of it. Whether it is queued still, only the engine can say. */
function runMeant(
  attempt: string,
  runs: AttemptAlone["runs"],
  prefix: string,
): Result<RunDocument, CliError> {
  const fitting = runs.filter(({ id }) => id.startsWith(prefix));
  const [run] = fitting;
  if (run !== undefined && fitting.length === 1) return ok(run);
  const count = run === undefined ? "No run" : "More than one run";
  return err(
    badUsage(
      `${count} of the attempt ${shortId(attempt)} has the id "${prefix}".`,
      `\`tazuna queue ${shortId(attempt)}\` lists those that wait.`,
    ),
  );
}

function ask({ engine }: Pick<Scope, "engine">, run: string, change: Change) {
  switch (change.what) {
    case "edit":
      return engine.ask((client) => client.changeQueued(run, { instruction: change.text }));
    case "move":
      return engine.ask((client) => client.changeQueued(run, { position: change.position }));
    case "remove":
      return engine.ask((client) => client.removeQueued(run));
  }
}
