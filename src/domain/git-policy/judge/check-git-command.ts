/** Judges a git call by its subcommand's option table: allowed, destructive, or never (seed 002 Handler Validation). */
import { err, ok, type Result } from "neverthrow";
import { bareCall, type GitCall } from "../parse/parse-call.ts";
import { type Place, placeOf } from "../table/place.ts";
import { isSubcommandAllowed, modifyingSubcommands } from "../verdicts/seed-lists.ts";
import {
  type Finding,
  type GitTier,
  type GitVerdict,
  type Nature,
  NO_PATHS,
  never,
  UNKNOWN_NATURE,
  verdictOf,
} from "../verdicts/verdict.ts";
import { type CheckGitOptions, readOptions } from "./check-options.ts";
import { judgeCall } from "./judge-call.ts";
import { readGitCall } from "./read-git-call.ts";
import { insteadOfUnlisted } from "./unlisted.ts";

/** The longest argument in UTF-16 units, and the most arguments. */
const MAX_ARGUMENT_LENGTH = 131_072;
const MAX_ARGUMENTS = 4_096;

interface Words {
  readonly subcommand: string;
  readonly args: readonly string[];
}

/**
 * Judges unchecked arguments, and never throws. Pure: paths are judged by their text. So the tool that runs git also
 * resolves `paths`, runs `git checkout NAME` with `--`, and pins the configuration.
 */
export function checkGitCommand(subcommand: unknown, args: unknown, options: CheckGitOptions): GitVerdict {
  return judgeGitCommand(subcommand, args, options).verdict;
}

/** A verdict, and the call as the policy read it. */
export interface JudgedGitCommand {
  readonly verdict: GitVerdict;
  /** Without words if they could not be read. Then the verdict never allows the call. */
  readonly call: GitCall;
}

/** Stands for a call that was not read. */
export const UNREAD = bareCall("");

/** The same verdict with the parsed call, for those who judge the call further. */
export function judgeGitCommand(
  subcommand: unknown,
  args: unknown,
  options: CheckGitOptions,
): JudgedGitCommand {
  const read = readOptions(options);
  if (read.isErr())
    return { verdict: verdictOf([read.error], UNKNOWN_NATURE, { allowDestructive: false }), call: UNREAD };
  const { workspaceRoot, cwd, allowDestructive, ...facts } = read.value;
  const refuse = (finding: Finding, nature: Nature = UNKNOWN_NATURE) => ({
    verdict: verdictOf([finding], nature, { allowDestructive }),
    call: UNREAD,
  });
  const words = checkWords(subcommand, args);
  if (words.isErr()) return refuse(words.error);
  const place = placeOf(workspaceRoot, cwd, facts);
  if (place === null) return refuse(noPlace());
  return judgeWords(words.value, place).match(
    ({ findings, nature, call }) => ({ verdict: verdictOf(findings, nature, { allowDestructive }), call }),
    ({ finding, nature }) => refuse(finding, nature),
  );
}

function judgeWords(
  { subcommand, args }: Words,
  place: Place,
): Result<
  { readonly findings: readonly Finding[]; readonly nature: Nature; readonly call: GitCall },
  { readonly finding: Finding; readonly nature: Nature }
> {
  if (!isSubcommandAllowed(subcommand))
    return err({ finding: unknownSubcommand(subcommand), nature: UNKNOWN_NATURE });
  const read = readGitCall(subcommand, args);
  if (read.isErr()) {
    const { finding, table } = read.error;
    return err({ finding, nature: table === null ? UNKNOWN_NATURE : natureOf(table.tier) });
  }
  const { call, table } = read.value;
  if (call.asksForUsage) {
    const tier = modifyingSubcommands().includes(subcommand) ? "write" : table.tier;
    return ok({ findings: [], nature: natureOf(tier), call });
  }
  return ok({ ...judgeCall(call, table, place), call });
}

function natureOf(tier: GitTier): Nature {
  return { tier, network: false, ...NO_PATHS };
}

function checkWords(subcommand: unknown, args: unknown): Result<Words, Finding> {
  const wrong = (given: string, because: string) =>
    err(never(given, { rule: "argument.invalid", because }, "INVALID_ARGUMENT"));
  if (typeof subcommand !== "string" || subcommand === "")
    return wrong("subcommand", "must be the name of a git subcommand");
  if (args !== undefined && !Array.isArray(args)) return wrong("args", "must be a list of strings");
  const list: readonly unknown[] = args ?? [];
  if (list.length > MAX_ARGUMENTS) return wrong("args", `must not hold more than ${MAX_ARGUMENTS} arguments`);
  const words: string[] = [];
  for (const [index, word] of [subcommand, ...list].entries()) {
    const name = index === 0 ? "subcommand" : `args[${index - 1}]`;
    if (typeof word !== "string") return wrong(name, "must be a string");
    if (word.includes("\0")) return wrong(name, "must not hold a NUL character");
    if (word.length > MAX_ARGUMENT_LENGTH)
      return wrong(name, `must not be longer than ${MAX_ARGUMENT_LENGTH} characters`);
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
