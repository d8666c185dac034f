/** Gives the words of a command line to the parser and returns the command's outcome. */
import { buildApplication, type Command, run, text_en } from "@stricli/core";
import { err, ok } from "neverthrow";
import { unexpectedError } from "./shared/cli-error.ts";
import type { CallScope, CliContext, Outcome } from "./shared/command.ts";
import { commandHelp, optionName } from "./shared/command-help.ts";
import { usageError } from "./shared/usage-error.ts";

interface ParseAndRun {
  readonly command: Command<CliContext>;
  /** Such as `tazuna run`. */
  readonly name: string;
  readonly words: readonly string[];
  readonly scope: CallScope;
}

/** What happened inside the parser; its own messages and exit codes are not used. */
interface Course {
  outcome: Outcome | null;
  unparsed: { readonly thrown: unknown } | null;
  broken: { readonly thrown: unknown } | null;
}

/** The command's outcome, or the help that was asked for. */
export async function parseAndRun({ command, name, words, scope }: ParseAndRun): Promise<Outcome> {
  const course: Course = { outcome: null, unparsed: null, broken: null };
  let helpWanted = false;
  const application = buildApplication(command, {
    name,
    scanner: { caseStyle: "allow-kebab-for-camel", allowArgumentEscapeSequence: true },
    documentation: { disableAnsiColor: true },
    localization: { text: silentText(course) },
  });
  await run(application, separateValues(words), {
    process: {
      stdout: {
        write: () => {
          helpWanted = true;
        },
      },
      stderr: { write: () => {} },
    },
    scope,
    leave: (outcome) => {
      course.outcome = outcome;
    },
  });
  if (course.unparsed !== null)
    return err(usageError(course.unparsed.thrown, { command: name, words, ...flagsOf(command) }));
  if (course.broken !== null) return err(unexpectedError(course.broken.thrown));
  if (course.outcome !== null || !helpWanted) return course.outcome ?? ok({});
  const help = commandHelp(command, name);
  return ok({ document: { help }, text: help });
}

/** Keeps what the parser would have printed; only the first of several faults counts. */
function silentText(course: Course): typeof text_en {
  const broken = (thrown: unknown) => {
    course.broken ??= { thrown };
    return "";
  };
  return {
    ...text_en,
    exceptionWhileParsingArguments: (thrown) => {
      course.unparsed ??= { thrown };
      return "";
    },
    exceptionWhileLoadingCommandFunction: broken,
    exceptionWhileLoadingCommandContext: broken,
    exceptionWhileRunningCommand: broken,
  };
}

/**
 * The parser reads `--flag=value` only if the value has a character and no line break. Such values are passed as a
 * word of their own, which it takes even if they begin with `-`.
 */
function separateValues(words: readonly string[]): string[] {
  const rest = words.indexOf("--");
  return words.flatMap((word, index) => {
    const match = rest >= 0 && index > rest ? null : /^(--[a-z][a-z-]+)=(|[\s\S]*\n[\s\S]*)$/.exec(word);
    return match === null ? [word] : [match[1] ?? "", match[2] ?? ""];
  });
}

function flagsOf(command: Command<CliContext>) {
  const known = Object.entries(command.parameters.flags ?? {});
  const named = known.map(([name, { kind }]) => ({ name: optionName(name).slice(2), kind }));
  return {
    flags: ["help", ...named.map(({ name }) => name)],
    valued: named.filter(({ kind }) => kind !== "boolean").map(({ name }) => name),
  };
}
