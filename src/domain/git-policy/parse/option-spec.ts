/** Describes the options of a subcommand, and reads the short notation of the tables. */
import type { Why } from "../verdicts/verdict.ts";

/**
 * How an option takes its value. `nothing`: it has none. `value`: the rest of the word, or the next word. `stuck`
 * and `maybe`: only the rest of the word, required or optional. `unless-last`: the next word, if there is one.
 */
type Taking = "nothing" | "value" | "stuck" | "maybe" | "unless-last";

/** The kind of the value. A list holds the only allowed values. */
type ValueKind = "text" | "path" | "path-from-top" | "remote" | "repository-path" | readonly string[];

/** How the option changes the call. */
type Effect = "none" | "writes" | "dry-run" | { readonly risk: "destructive" | "never"; readonly why: Why };

export interface OptionSpec {
  /** The first name of its group without dashes. Rules ask for this name. */
  readonly id: string;
  readonly takes: Taking;
  readonly kind: ValueKind;
  readonly effect: Effect;
  /** Whether it is the `--no-` form. */
  readonly negated: boolean;
}

/** By the written name: `-f`, `--force`, `--no-force`. `-<n>` stands for numbers such as `-5`. */
export type OptionTable = ReadonlyMap<string, OptionSpec>;

type Entries = readonly (readonly [string, OptionSpec])[];

/**
 * Options without danger. Each text lists options, with commas between them. The names of one option form a group:
 * `-m= --message=` takes a value. `-u[=]` takes only a stuck value, and `--format=!` requires one. `--merged=?` takes
 * the next word if there is one. `--[no-]edit` stands for both forms.
 */
export const safe = listed("text", "none");

/** Options that turn a reading subcommand into a writing one. */
export const writing = listed("text", "writes");

/** Options with which nothing is changed. */
export const dryRun = listed("text", "dry-run");

/** Options whose value names a file or a folder. */
export const path = listed("path", "none");

/** Options whose value names a file that some version of git looks up from the top of the repository. */
export const pathFromTop = listed("path-from-top", "none");

/** Options whose value is the name of a remote, or the place of a repository. */
export const remote = listed("remote", "none");

/** Options whose value is the path of a repository. */
export const repositoryPath = listed("repository-path", "none");

/** Options that take only one of these values. */
export function among(values: readonly string[], ...lists: readonly string[]): Entries {
  return listed(values, "none")(...lists);
}

/** Options that lose something; the `--no-` form does not. */
export function destructive(why: Why, ...lists: readonly string[]): Entries {
  return listed("text", { risk: "destructive", why })(...lists);
}

/** Options that are refused on purpose; the `--no-` form is not. */
export function refused(why: Why, ...lists: readonly string[]): Entries {
  return listed("text", { risk: "never", why })(...lists);
}

/** One table from several lists. A later entry replaces an earlier one of the same name. */
export function optionTable(...lists: readonly (Entries | OptionTable)[]): OptionTable {
  return new Map(lists.flatMap((list) => [...list]));
}

function listed(kind: ValueKind, effect: Effect): (...lists: readonly string[]) => Entries {
  return (...lists) =>
    lists.flatMap((list) => list.split(",")).flatMap((group) => entriesOfGroup(group.trim(), kind, effect));
}

function entriesOfGroup(group: string, kind: ValueKind, effect: Effect): Entries {
  const words = group.split(" ");
  const id = idOf(words[0] ?? "");
  return words.flatMap((word) => {
    const { name, takes } = split(word);
    const spec = { id, takes, kind, effect, negated: false };
    if (!name.startsWith("--[no-]")) return [[name, spec] as const];
    const long = name.slice("--[no-]".length);
    const negation = { ...spec, takes: "nothing", effect: "none", negated: true } as const;
    return [[`--${long}`, spec] as const, [`--no-${long}`, negation] as const];
  });
}

function idOf(word: string): string {
  return split(word).name.replace(/^--?(\[no-\])?/, "");
}

const SUFFIXES: readonly (readonly [string, Taking])[] = [
  ["[=]", "maybe"],
  ["=!", "stuck"],
  ["=?", "unless-last"],
  ["=", "value"],
];

function split(word: string): { readonly name: string; readonly takes: Taking } {
  const suffix = SUFFIXES.find(([text]) => word.endsWith(text));
  if (suffix === undefined) return { name: word, takes: "nothing" };
  return { name: word.slice(0, -suffix[0].length), takes: suffix[1] };
}
