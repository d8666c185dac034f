/** Judges a call of git by the option table of its subcommand: allowed, destructive, or never (product contract, section 5). */
import { err, ok, type Result } from "neverthrow";
import { judgeCall } from "./judge-call.ts";
import { type Place, placeOf } from "./kinds/place.ts";
import { parseCall } from "./parse/parse-call.ts";
import { isSubcommandAllowed } from "./seed-lists.ts";
import { selectTable } from "./select-table.ts";
import { SUBCOMMANDS } from "./tables/subcommands.ts";
import { insteadOfUnlisted } from "./unlisted.ts";
import {
  type Finding,
  type GitVerdict,
  type Nature,
  NO_PATHS,
  never,
  UNKNOWN_NATURE,
  verdictOf,
} from "./verdict.ts";

export interface CheckGitOptions {
  /** Absolute. Paths are judged against it by their spelling; links are for whoever runs the command. */
  readonly workspaceRoot: string;
  /** Where it runs, absolute or relative to the root; the root unless told. */
  readonly cwd?: string;
  /**
   * Submodules, files in conflict and files that git takes for unchanged, relative to the root (`git ls-files -sv`: mode
   * 160000, stage above 0, a small letter or S). `git rm` deletes them with what is only there, so it is destructive
   * where it may select one. None unless told.
   */
  readonly unguarded?: readonly string[];
  /** Default false. Opens `DESTRUCTIVE_BLOCKED`, and nothing else. */
  readonly allowDestructive?: boolean;
}

/** Of one argument in UTF-16 units, and of arguments. */
const LONGEST_ARGUMENT = 131_072;
const MOST_ARGUMENTS = 4_096;

interface Words {
  readonly subcommand: string;
  readonly args: readonly string[];
}

/**
 * Judges arguments that nobody has looked at yet; never throws. Pure: paths are judged by their text, so the tool that
 * runs git resolves `paths` as well, calls `git checkout NAME` as `git checkout NAME --`, and pins the configuration.
 */
export function checkGitCommand(subcommand: unknown, args: unknown, options: CheckGitOptions): GitVerdict {
  const { workspaceRoot, cwd = workspaceRoot, unguarded = [], allowDestructive = false } = options;
  const refuse = (finding: Finding, nature: Nature = UNKNOWN_NATURE) =>
    verdictOf([finding], nature, { allowDestructive });
  const words = checkWords(subcommand, args);
  if (words.isErr()) return refuse(words.error);
  const place = placeOf(workspaceRoot, cwd, unguarded);
  if (place === null) return refuse(noPlace());
  return judgeWords(words.value, place).match(
    ({ findings, nature }) => verdictOf(findings, nature, { allowDestructive }),
    ({ finding, nature }) => refuse(finding, nature),
  );
}

interface Unreadable {
  readonly finding: Finding;
  readonly nature: Nature;
}

function judgeWords(
  { subcommand, args }: Words,
  place: Place,
): Result<{ readonly findings: readonly Finding[]; readonly nature: Nature }, Unreadable> {
  if (!isSubcommandAllowed(subcommand))
    return err({ finding: unknownSubcommand(subcommand), nature: UNKNOWN_NATURE });
  const selected = selectTable(subcommand, args, SUBCOMMANDS[subcommand]);
  if (selected.isErr()) return err({ finding: selected.error, nature: UNKNOWN_NATURE });
  const { command, before, rest, name } = selected.value;
  const nature: Nature = { tier: command.tier, network: false, ...NO_PATHS };
  if (rest.length === 1 && rest[0] === "-h") return ok({ findings: [], nature });
  const call = parseCall(name, rest, {
    options: command.options,
    endOfOptions: command.endOfOptions ?? true,
  });
  if (call.isErr()) return err({ finding: call.error, nature });
  return ok(judgeCall({ ...call.value, options: [...before, ...call.value.options] }, command, place));
}

function checkWords(subcommand: unknown, args: unknown): Result<Words, Finding> {
  const wrong = (given: string, because: string) =>
    err(never(given, { rule: "argument.invalid", because }, "INVALID_ARGUMENT"));
  if (typeof subcommand !== "string" || subcommand === "")
    return wrong("subcommand", "must be the name of a git subcommand");
  if (args !== undefined && !Array.isArray(args)) return wrong("args", "must be a list of strings");
  const list: readonly unknown[] = args ?? [];
  if (list.length > MOST_ARGUMENTS)
    return wrong("args", `must not hold more than ${MOST_ARGUMENTS} arguments`);
  const words: string[] = [];
  for (const [index, word] of [subcommand, ...list].entries()) {
    const name = index === 0 ? "subcommand" : `args[${index - 1}]`;
    if (typeof word !== "string") return wrong(name, "must be a string");
    if (word.includes("\0")) return wrong(name, "must not hold a NUL character");
    if (word.length > LONGEST_ARGUMENT)
      return wrong(name, `must not be longer than ${LONGEST_ARGUMENT} characters`);
    words.push(word);
  }
  return ok({ subcommand, args: words.slice(1) });
}

function unknownSubcommand(subcommand: string): Finding {
  const shown = subcommand.length > 40 ? `${subcommand.slice(0, 40)}…` : subcommand;
  const isOption = subcommand.startsWith("-");
  return never(
    isOption ? shown : `git ${shown}`,
    {
      rule: "subcommand.unknown",
      because: isOption
        ? "is no subcommand; options of git itself are not allowed in front of one"
        : "is not among the subcommands that are allowed",
      instead: isOption
        ? "Name the subcommand first, such as status or log, and its options after it."
        : insteadOfUnlisted(subcommand),
    },
    "SUBCOMMAND_NOT_ALLOWED",
  );
}

function noPlace(): Finding {
  return never(
    "cwd",
    { rule: "path.outside", because: "lies outside the workspace, or the workspace's root is not absolute" },
    "OUTSIDE_WORKSPACE",
  );
}
