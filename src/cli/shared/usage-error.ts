/** Says in one line what is wrong with the words of a command line, with the nearest known one. */
import {
  AliasNotFoundError,
  ArgumentParseError,
  EnumValidationError,
  FlagNotFoundError,
  UnexpectedFlagError,
  UnexpectedPositionalError,
  UnsatisfiedFlagError,
  UnsatisfiedPositionalError,
} from "@stricli/core";
import { nearestWord } from "../../contract/text.ts";
import { badUsage } from "./cli-error.ts";
import type { CliError } from "./cli-options.ts";

/** A command line that the parser refused. */
interface Refused {
  /** Such as `tazuna run`. */
  readonly command: string;
  readonly words: readonly string[];
  /** The names of the command's flags, and which of them take a value. */
  readonly flags: readonly string[];
  readonly valued: readonly string[];
}

/** The error of what the parser threw. */
export function usageError(thrown: unknown, { command, words, flags, valued }: Refused): CliError {
  const help = `\`${command} --help\` shows what it takes.`;
  if (thrown instanceof FlagNotFoundError) return unknownFlag(thrown.input, flags, help);
  if (thrown instanceof AliasNotFoundError) {
    const flag = flagBefore(thrown.input, words);
    if (flag !== null && valued.includes(flag)) return badUsage(`--${flag} needs a value.`, behindSign(flag));
    return badUsage(
      `There is no flag "-${thrown.input}".`,
      `To begin an argument with "-", put "--" before it. ${help}`,
    );
  }
  if (thrown instanceof UnsatisfiedFlagError)
    return badUsage(`--${thrown.externalFlagName} needs a value.`, valueRemedy(thrown));
  // Thrown only for a flag that may stand once.
  if (thrown instanceof UnexpectedFlagError)
    return badUsage(`--${thrown.externalFlagName} is given twice.`, "Give it once.");
  if (thrown instanceof ArgumentParseError)
    return badUsage(
      `"${thrown.input}" does not fit ${placeOf(thrown, flags)}: ${withEnd(reason(thrown))}`,
      help,
    );
  if (thrown instanceof EnumValidationError) return badChoice(thrown);
  if (thrown instanceof UnsatisfiedPositionalError)
    return badUsage(`${thrown.placeholder} is missing.`, help);
  if (thrown instanceof UnexpectedPositionalError)
    return badUsage(
      `"${thrown.input}" is one argument too many.`,
      `Put quotes around text with spaces. ${help}`,
    );
  return badUsage(thrown instanceof Error ? thrown.message : String(thrown), help);
}

/** A word that is not a command or subcommand. */
export function unknownCommand(word: string, known: readonly string[], command = "tazuna"): CliError {
  const nearest = nearestWord(word, known);
  const meant = nearest === null ? "" : `Did you mean \`${command} ${nearest}\`? `;
  return badUsage(`There is no command "${word}".`, `${meant}\`${command} --help\` lists all.`, { nearest });
}

function unknownFlag(input: string, flags: readonly string[], help: string): CliError {
  const nearest = nearestWord(input, flags);
  const meant = nearest === null ? "" : `Did you mean \`--${nearest}\`? `;
  return badUsage(`There is no flag "--${input}".`, `${meant}${help}`, { nearest });
}

function badChoice({ input, values, externalFlagName }: EnumValidationError): CliError {
  const nearest = nearestWord(input, values);
  const meant = nearest === null ? "" : `Did you mean "${nearest}"? `;
  return badUsage(
    `"${input}" does not fit --${externalFlagName}.`,
    `${meant}It takes ${values.join(", ")}.`,
    { nearest },
  );
}

/** The flag whose value the word with this letter may have been meant to be. */
function flagBefore(letter: string, words: readonly string[]): string | null {
  const at = words.findIndex((word) => /^-[a-z]+$/i.test(word) && word.includes(letter));
  return /^--([a-z][a-z-]*)$/.exec(words[at - 1] ?? "")?.[1] ?? null;
}

function behindSign(flag: string): string {
  return `Write a value that begins with "-" behind \`--${flag}=\`.`;
}

function valueRemedy({ externalFlagName, nextFlagName }: UnsatisfiedFlagError): string {
  return nextFlagName === undefined
    ? `Write its value behind \`--${externalFlagName}\`.`
    : behindSign(externalFlagName);
}

/** The parser reports flags and arguments by the same bare name. */
function placeOf({ externalFlagNameOrPlaceholder: name }: ArgumentParseError, flags: readonly string[]) {
  return flags.includes(name) ? `--${name}` : name;
}

function withEnd(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`;
}

function reason({ exception }: ArgumentParseError): string {
  return exception instanceof Error ? exception.message : String(exception);
}
