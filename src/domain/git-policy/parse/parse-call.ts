/** Splits the arguments of a subcommand into options, values and operands as git does, by its table. */
import { err, ok, type Result } from "neverthrow";
import { type Finding, never } from "../verdicts/verdict.ts";
import type { OptionSpec, OptionTable } from "./option-spec.ts";

export interface GivenOption {
  /** The option's name as written. A letter of a cluster is written as `-x`. */
  readonly given: string;
  readonly spec: OptionSpec;
  readonly value: string | null;
}

/** An operand, or one word of options with its value. */
interface Piece {
  /** As written. */
  readonly words: readonly string[];
  /** Empty for an operand. */
  readonly options: readonly GivenOption[];
}

export interface GitCall {
  /** The subcommand with its verb, such as `stash pop`. */
  readonly subcommand: string;
  /** The words after the verb and before `--`, in their order. */
  readonly pieces: readonly Piece[];
  readonly options: readonly GivenOption[];
  /** Before `--`. */
  readonly operands: readonly string[];
  /** After `--`. */
  readonly afterDashes: readonly string[];
  /** Whether `--` was given. */
  readonly dashes: boolean;
  /** Whether the call is `-h` alone, by which git only prints its usage. */
  readonly asksForUsage: boolean;
}

/** The facts about the subcommand that the parser needs. */
interface Grammar {
  readonly options: OptionTable;
  /** Whether git takes `--end-of-options` there. */
  readonly endOfOptions: boolean;
}

interface Taken {
  readonly options: readonly GivenOption[];
  /** How many of the following words were values. */
  readonly next: 0 | 1;
}

/** Exact names only: a name that is not in the table is refused, abbreviations included. */
export function parseCall(
  subcommand: string,
  args: readonly string[],
  grammar: Grammar,
): Result<GitCall, Finding> {
  const pieces: Piece[] = [];
  const operands: string[] = [];
  let operandsOnly = false;
  let at = 0;
  while (at < args.length && args[at] !== "--") {
    const word = args[at] ?? "";
    let taken: Taken = { options: [], next: 0 };
    if (operandsOnly || !word.startsWith("-") || word === "-") operands.push(word);
    else if (word === "--end-of-options" && grammar.endOfOptions) operandsOnly = true;
    else {
      const read = readOption(subcommand, word, args[at + 1], grammar.options);
      if (read.isErr()) return err(read.error);
      taken = read.value;
    }
    const end = at + 1 + taken.next;
    pieces.push({ words: args.slice(at, end), options: taken.options });
    at = end;
  }
  const options = pieces.flatMap((piece) => piece.options);
  const rest = { afterDashes: args.slice(at + 1), dashes: at < args.length };
  return ok({ ...bareCall(subcommand), pieces, options, operands, ...rest });
}

/** A call without options and operands. */
export function bareCall(subcommand: string): GitCall {
  const nothing = { pieces: [], options: [], operands: [], afterDashes: [] };
  return { subcommand, ...nothing, dashes: false, asksForUsage: false };
}

/** One word that begins with a dash, and the word after it if that is its value. */
export function readOption(
  subcommand: string,
  word: string,
  next: string | undefined,
  table: OptionTable,
): Result<Taken, Finding> {
  if (word.startsWith("--")) return readLong(subcommand, word, next, table);
  const numbered = /^-[0-9]+$/.test(word) ? table.get("-<n>") : undefined;
  const literal = table.get(word);
  if (numbered !== undefined && literal === undefined)
    return ok({ options: [{ given: word, spec: numbered, value: null }], next: 0 });
  return readCluster(subcommand, word, next, table);
}

function readLong(
  subcommand: string,
  word: string,
  next: string | undefined,
  table: OptionTable,
): Result<Taken, Finding> {
  const equals = word.indexOf("=");
  const name = equals === -1 ? word : word.slice(0, equals);
  const stuck = equals === -1 ? null : word.slice(equals + 1);
  const spec = table.get(name);
  if (spec === undefined) return err(unknownOption(subcommand, name, table));
  const { takes } = spec;
  if (stuck !== null)
    return takes === "nothing"
      ? err(never(name, { rule: "option.value", because: `of git ${subcommand} takes no value` }))
      : ok({ options: [{ given: name, spec, value: stuck }], next: 0 });
  if (takes === "stuck")
    return err(never(name, { rule: "option.value", because: `needs its value in the same word: ${name}=…` }));
  return withNext(subcommand, name, spec, next);
}

function readCluster(
  subcommand: string,
  word: string,
  next: string | undefined,
  table: OptionTable,
): Result<Taken, Finding> {
  const options: GivenOption[] = [];
  for (let at = 1; at < word.length; at += 1) {
    const name = `-${word[at]}`;
    const spec = table.get(name);
    if (spec === undefined) return err(unknownOption(subcommand, clusterName(name, word), table));
    const rest = word.slice(at + 1);
    if (spec.takes === "nothing") options.push({ given: name, spec, value: null });
    else if (rest !== "") return ok({ options: [...options, { given: name, spec, value: rest }], next: 0 });
    else
      return withNext(subcommand, name, spec, next).map((taken) => ({
        options: [...options, ...taken.options],
        next: taken.next,
      }));
  }
  return ok({ options, next: 0 });
}

/** The option has no stuck value. The next word is its value, if it takes one. */
function withNext(
  subcommand: string,
  name: string,
  spec: OptionSpec,
  next: string | undefined,
): Result<Taken, Finding> {
  const takesNext = spec.takes === "value" || (spec.takes === "unless-last" && next !== undefined);
  if (!takesNext) return ok({ options: [{ given: name, spec, value: null }], next: 0 });
  if (next === undefined)
    return err(never(name, { rule: "option.value", because: `of git ${subcommand} needs a value` }));
  return ok({ options: [{ given: name, spec, value: next }], next: 1 });
}

function clusterName(name: string, word: string): string {
  return word.length === 2 ? word : `${name} (in ${word})`;
}

function unknownOption(subcommand: string, name: string, table: OptionTable): Finding {
  const meant = [...table.keys()].filter((known) => name.length > 3 && known.startsWith(name));
  const instead =
    meant.length === 0
      ? "Use an option that git documents, by its full name."
      : `Write ${meant.join(" or ")}.`;
  return never(name, {
    rule: meant.length === 0 ? "option.unknown" : "option.abbreviated",
    because:
      meant.length === 0
        ? `is no option of git ${subcommand} that is allowed here`
        : `is a shortened name, which is not allowed`,
    instead,
  });
}
