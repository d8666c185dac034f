/** Completes the last word of a command line: commands, flags, and the names of present things. */
import type { Completable } from "./shared/cli-options.ts";
import type { ArgumentDeclaration } from "./shared/command.ts";
import { optionName } from "./shared/command-help.ts";
import { VERBS } from "./verbs.ts";

/** A word and its description, which may be empty. */
export interface Completion {
  readonly word: string;
  readonly about: string;
}

/** `words` follow `tazuna`; the last one is being typed. None means: names of files, which the shell knows. */
export async function complete(
  words: readonly string[],
  known: (what: Completable) => Promise<readonly Completion[]>,
): Promise<readonly Completion[]> {
  const typed = words.at(-1) ?? "";
  const all = await candidates(words.slice(0, -1), typed, known);
  return all.filter(({ word }) => word.startsWith(typed));
}

async function candidates(
  before: readonly string[],
  typed: string,
  known: (what: Completable) => Promise<readonly Completion[]>,
): Promise<readonly Completion[]> {
  const [first, second] = before;
  const names = Object.keys(VERBS);
  if (first === undefined) return typed.startsWith("-") ? [] : firstWords();
  const group = names.filter((name) => name.startsWith(`${first} `));
  const grouped = second !== undefined && VERBS[`${first} ${second}`] !== undefined;
  const verb = VERBS[grouped ? `${first} ${second}` : first];
  if (group.length > 0 && before.length === 1 && !typed.startsWith("-"))
    return group.map((name) => ({ word: name.slice(first.length + 1), about: VERBS[name]?.brief ?? "" }));
  if (verb === undefined) return [];
  const { parameters } = await verb.load();
  const flags = flagsOf(parameters.flags ?? {});
  const rest = before.slice(grouped ? 2 : 1).filter((word) => word !== "=");
  if (rest.includes("--")) return [];
  const owner = flags.find(({ word }) => word === rest.at(-1));
  if (owner?.takes) return valuesOf(owner, known);
  if (typed.startsWith("-")) return flags;
  const places = positionals(parameters.positional);
  const given = rest.filter((word, index) => !word.startsWith("-") && !takesValue(flags, rest[index - 1]));
  const place = places[given.length];
  return place === undefined ? [] : placed(place, known);
}

function firstWords(): readonly Completion[] {
  const words = new Map<string, string>();
  for (const [name, { brief }] of Object.entries(VERBS)) {
    const [word = ""] = name.split(" ");
    if (!words.has(word)) words.set(word, word === name ? brief : "");
  }
  return [...words].map(([word, about]) => ({ word, about }));
}

interface Flag extends Completion {
  /** Whether a value follows it. */
  readonly takes: boolean;
  readonly values: readonly string[];
  readonly name: string;
}

function flagsOf(flags: Readonly<Record<string, unknown>>): readonly Flag[] {
  const declared = Object.entries(flags).map(([name, flag]): Flag => {
    const { kind, brief, values } = flag as { kind?: string; brief?: string; values?: readonly string[] };
    return {
      name,
      word: optionName(name),
      about: brief ?? "",
      takes: kind !== "boolean",
      values: values ?? [],
    };
  });
  return [
    ...declared,
    { name: "help", word: "--help", about: "Show what it takes", takes: false, values: [] },
  ];
}

function takesValue(flags: readonly Flag[], word: string | undefined): boolean {
  return flags.some((flag) => flag.takes && flag.word === word);
}

async function valuesOf(
  flag: Flag,
  known: (what: Completable) => Promise<readonly Completion[]>,
): Promise<readonly Completion[]> {
  if (flag.name === "agent") return known("agents");
  if (flag.name === "repo") return known("repositories");
  return flag.values.map((word) => ({ word, about: "" }));
}

function positionals(positional: unknown): readonly ArgumentDeclaration[] {
  return ((positional ?? {}) as { parameters?: readonly ArgumentDeclaration[] }).parameters ?? [];
}

/** The candidates for an argument, by the name that the help gives it. */
async function placed(
  { placeholder, words }: ArgumentDeclaration,
  known: (what: Completable) => Promise<readonly Completion[]>,
): Promise<readonly Completion[]> {
  if (words !== undefined) return words.toSorted().map((word) => ({ word, about: "" }));
  if (placeholder === "KEY") return known("keys");
  if (placeholder === "REPOSITORY") return known("repositories");
  const kinds = (["TASK", "ATTEMPT", "RUN"] as const).filter(
    (kind) =>
      placeholder.includes(kind) || placeholder === "ID" || (placeholder === "OTHER" && kind === "ATTEMPT"),
  );
  const lists = await Promise.all(kinds.map((kind) => known(KINDS[kind])));
  return lists.flat();
}

const KINDS = { TASK: "tasks", ATTEMPT: "attempts", RUN: "runs" } as const;
