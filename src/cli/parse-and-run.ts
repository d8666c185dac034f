/** Hands the words of a command line to the parser and brings back what the command came to. */
import { buildApplication, type Command, run, text_en } from "@stricli/core";
import { err, ok } from "neverthrow";
import { surprise } from "./cli-error.ts";
import type { CliContext, Outcome, Scope } from "./command.ts";
import { usageError } from "./usage-error.ts";

export interface ParseAndRun {
  readonly command: Command<CliContext>;
  /** Such as `tazuna run`. */
  readonly name: string;
  readonly words: readonly string[];
  readonly scope: Scope;
}

/** What happened while the parser had the say; its own messages and exit codes are not used. */
interface Course {
  outcome: Outcome | null;
  unparsed: { readonly thrown: unknown } | null;
  broken: { readonly thrown: unknown } | null;
}

/** The command's outcome, or the help that was asked for. */
export async function parseAndRun({ command, name, words, scope }: ParseAndRun): Promise<Outcome> {
  const course: Course = { outcome: null, unparsed: null, broken: null };
  let help = "";
  const application = buildApplication(command, {
    name,
    scanner: { caseStyle: "allow-kebab-for-camel", allowArgumentEscapeSequence: true },
    documentation: { disableAnsiColor: true },
    localization: { text: silentText(course) },
  });
  await run(application, separateValues(words), {
    process: {
      stdout: {
        write: (text) => {
          help += text;
        },
      },
      stderr: { write: () => {} },
    },
    scope,
    leave: (outcome) => {
      course.outcome = outcome;
    },
  });
  if (course.unparsed !== null) return err(usageError(course.unparsed.thrown, name, flagsOf(command)));
  if (course.broken !== null) return err(surprise(course.broken.thrown));
  return course.outcome ?? ok({ exit: 0, document: { help }, text: help });
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
 * The parser reads `--flag=value` only where the value has a character and no line break; such values are
 * handed over as a word of their own, which it takes whatever they begin with.
 */
function separateValues(words: readonly string[]): string[] {
  const rest = words.indexOf("--");
  return words.flatMap((word, index) => {
    const match = rest >= 0 && index > rest ? null : /^(--[a-z][a-z-]+)=(|[\s\S]*\n[\s\S]*)$/.exec(word);
    return match === null ? [word] : [match[1] ?? "", match[2] ?? ""];
  });
}

function flagsOf(command: Command<CliContext>): string[] {
  const names = Object.keys(command.parameters.flags ?? {});
  return ["help", ...names.map((name) => name.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`))];
}
