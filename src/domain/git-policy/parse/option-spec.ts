/** Describes the options that a subcommand may be given, and reads the short notation of the tables. */
import type { Why } from "../verdict.ts";

/**
 * How an option takes its value: not at all, as the rest of the word or the next one, only as the rest of the word
 * (needed or not), or as the next word unless it is the last one.
 */
type Taking = "nothing" | "value" | "stuck" | "maybe" | "unless-last";

/** What the value is. A list holds the only values that are allowed. */
type ValueKind = "text" | "path" | "path-from-top" | "url" | readonly string[];

/** What the option makes of the call. */
type Effect = "none" | "writes" | "dry-run" | { readonly risk: "destructive" | "never"; readonly why: Why };

export interface OptionSpec {
  /** The first name of its group without dashes; what rules ask for. */
  readonly id: string;
  readonly takes: Taking;
  readonly kind: ValueKind;
  readonly effect: Effect;
  /** The `--no-` form. */
  readonly negated: boolean;
}

/** By the name as it is written: `-f`, `--force`, `--no-force`; `-<n>` stands for `-5`. */
export type OptionTable = ReadonlyMap<string, OptionSpec>;

type Entries = readonly (readonly [string, OptionSpec])[];

/**
 * Options without danger. Each text is a group of names of one option: `-m= --message=` takes a value, `-u[=]` only
 * a stuck one, `--format=!` needs a stuck one, `--merged=?` takes the next word if there is one; `--[no-]edit` stands for both forms.
 */
export function safe(...groups: readonly string[]): Entries {
  return groups.flatMap((group) => entriesOf(group, "text", "none"));
}

/** Options that turn a reading subcommand into a writing one. */
export function writing(...groups: readonly string[]): Entries {
  return groups.flatMap((group) => entriesOf(group, "text", "writes"));
}

/** Options under which nothing is changed. */
export function dryRun(...groups: readonly string[]): Entries {
  return groups.flatMap((group) => entriesOf(group, "text", "dry-run"));
}

/** Options whose value names a file or a folder. */
export function path(...groups: readonly string[]): Entries {
  return groups.flatMap((group) => entriesOf(group, "path", "none"));
}

/** Options whose value names a file that git, in one version or another, looks for from the top of the repository on. */
export function pathFromTop(...groups: readonly string[]): Entries {
  return groups.flatMap((group) => entriesOf(group, "path-from-top", "none"));
}

/** Options whose value names a repository. */
export function url(...groups: readonly string[]): Entries {
  return groups.flatMap((group) => entriesOf(group, "url", "none"));
}

/** Options that take one of these values only. */
export function among(values: readonly string[], ...groups: readonly string[]): Entries {
  return groups.flatMap((group) => entriesOf(group, values, "none"));
}

/** Options that lose something; the `--no-` form does not. */
export function destructive(why: Why, ...groups: readonly string[]): Entries {
  return groups.flatMap((group) => entriesOf(group, "text", { risk: "destructive", why }));
}

/** Options that are refused on purpose; the `--no-` form is not. */
export function refused(why: Why, ...groups: readonly string[]): Entries {
  return groups.flatMap((group) => entriesOf(group, "text", { risk: "never", why }));
}

/** One table of several lists; a later entry replaces an earlier one of the same name. */
export function optionTable(...lists: readonly (Entries | OptionTable)[]): OptionTable {
  return new Map(lists.flatMap((list) => [...list]));
}

function entriesOf(group: string, kind: ValueKind, effect: Effect): Entries {
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
