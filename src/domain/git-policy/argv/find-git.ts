/** Finds a call of git in a command line, also after `env`, `timeout` and similar programs, and its own options. */
import { type GivenOption, readOption } from "../parse/parse-call.ts";
import { type Finding, never, type Why } from "../verdicts/verdict.ts";
import { readGlobalOptions } from "./global-options.ts";
import { PREFIX_PROGRAMS, type PrefixProgram } from "./prefix-programs.ts";

export interface FoundGit {
  /** The subcommand and its arguments. */
  readonly words: readonly string[];
  /** Whether the program is `git`, and not one that is named for a subcommand, such as `git-reset`. */
  readonly isGitItself: boolean;
  /** Whether git only prints something about itself. */
  readonly printsOnly: boolean;
  /** Folders that the command line changes to, each relative to the one before. */
  readonly folders: readonly string[];
  /** Objections to the way git is called. */
  readonly findings: readonly Finding[];
}

/** Variables that cannot change what git runs. */
const HARMLESS_VARIABLE =
  /^(?:LC_[A-Z]+|LANG|LANGUAGE|TZ|TERM|COLUMNS|LINES|NO_COLOR|FORCE_COLOR|CLICOLOR|CLICOLOR_FORCE|CI)$/;
const ASSIGNMENT = /^([A-Za-z_][A-Za-z0-9_]*)\+?=/;

const NOTHING: FoundGit = { words: [], isGitItself: false, printsOnly: false, folders: [], findings: [] };

/** Null if the command line is not a call of git. */
export function findGit(argv: readonly string[]): FoundGit | null {
  const [program, ...rest] = argv;
  if (program === undefined) return null;
  const name = programName(program);
  if (name === "git") {
    const { rest: words, ...global } = readGlobalOptions(rest);
    return { ...global, words, isGitItself: true };
  }
  if (name.startsWith("git-")) return { ...NOTHING, words: [name.slice("git-".length), ...rest] };
  if (name === "find" && rest.some((word) => /^-(exec|ok)(dir)?$/.test(word))) return unclear(name, rest);
  const prefix = PREFIX_PROGRAMS.get(name);
  return prefix === undefined ? null : behind(name, rest, prefix);
}

/** The last part of the path, without the endings of Windows. Lower case, because Windows and macOS ignore case. */
function programName(program: string): string {
  const last = program.split(/[\\/]/).at(-1) ?? "";
  return last.toLowerCase().replace(/\.(?:exe|cmd|bat|com)$/, "");
}

function behind(name: string, words: readonly string[], prefix: PrefixProgram): FoundGit | null {
  const options: GivenOption[] = [];
  let at = 0;
  for (; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (word === "--") {
      at += 1;
      break;
    }
    if (!word.startsWith("-")) break;
    if (word === "-") return unclear(name, words);
    const taken = readOption(name, word, words[at + 1], prefix.options);
    if (taken.isErr()) return unclear(name, words);
    options.push(...taken.value.options);
    at += taken.value.next;
  }
  const hidden = options.find(({ given }) => /^(?:-S|--split-string)$/.test(given) && name.endsWith("env"));
  if (hidden !== undefined) return unclear(name, [hidden.value ?? "", ...words]);
  const assigned = prefix.assignments ? assignments(words.slice(at)) : [];
  const found = findGit(words.slice(at + assigned.length + prefix.operands));
  if (found === null) return null;
  return {
    ...found,
    folders: [...foldersOf(options), ...found.folders],
    findings: [
      ...assigned.flatMap(assignmentFinding),
      ...options.flatMap(({ given, spec }) =>
        typeof spec.effect === "object" ? [never(`${name} ${given}`, spec.effect.why)] : [],
      ),
      ...(prefix.refused === null ? [] : [never(name, prefix.refused)]),
      ...found.findings,
    ],
  };
}

function assignments(words: readonly string[]): readonly string[] {
  const end = words.findIndex((word) => !ASSIGNMENT.test(word));
  return end === -1 ? words : words.slice(0, end);
}

function assignmentFinding(word: string): readonly Finding[] {
  const variable = ASSIGNMENT.exec(word)?.[1] ?? "";
  if (HARMLESS_VARIABLE.test(variable)) return [];
  return [
    never(`${variable}=`, {
      rule: "argv.environment",
      because: "can change what git does or runs",
      instead: "Call git without it.",
    }),
  ];
}

function foldersOf(options: readonly GivenOption[]): readonly string[] {
  return options.flatMap(({ spec, value }) =>
    value !== null && (spec.id === "C" || spec.id === "D") ? [value] : [],
  );
}

/** The prefix has arguments that cannot be read. If they mention git, the call is refused. If not, it is not judged. */
function unclear(name: string, words: readonly string[]): FoundGit | null {
  if (!words.some((word) => /(?:^|[\\/\s"'=])git(?:$|[\s."'-])/i.test(word))) return null;
  const why: Why = {
    rule: "argv.unclear",
    because: "is given options that hide which command is run",
    instead: "Call git directly.",
  };
  return { ...NOTHING, findings: [never(name, why)] };
}
