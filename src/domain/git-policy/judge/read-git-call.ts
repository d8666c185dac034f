/** Parses the words of a call once, by the table of its subcommand or verb, for all later judges. */
import { err, ok, type Result } from "neverthrow";
import { bareCall, type GitCall, type GivenOption, parseCall, readOption } from "../parse/parse-call.ts";
import type { CommandTable, SubcommandTable, VerbTable } from "../table/command-table.ts";
import { SUBCOMMANDS } from "../tables/subcommands.ts";
import type { GitSubcommand } from "../verdicts/seed-lists.ts";
import { type Finding, never } from "../verdicts/verdict.ts";

interface ReadCall {
  readonly call: GitCall;
  readonly table: CommandTable;
}

/** Why the words cannot be read, and the table if the subcommand and its verb are known. */
interface Unreadable {
  readonly finding: Finding;
  readonly table: CommandTable | null;
}

export function readGitCall(
  subcommand: GitSubcommand,
  args: readonly string[],
): Result<ReadCall, Unreadable> {
  const selected = selectTable(subcommand, args);
  if (selected.isErr()) return err({ finding: selected.error, table: null });
  const { command: table, before, rest, name } = selected.value;
  if (rest.length === 1 && rest[0] === "-h")
    return ok({ call: { ...bareCall(name), options: before, asksForUsage: true }, table });
  const { options, endOfOptions = true } = table;
  return parseCall(name, rest, { options, endOfOptions })
    .map((call) => ({ call: { ...call, options: [...before, ...call.options] }, table }))
    .mapErr((finding) => ({ finding, table }));
}

interface Selected {
  readonly command: CommandTable;
  /** Options before the verb. */
  readonly before: readonly GivenOption[];
  /** The words after the verb. */
  readonly rest: readonly string[];
  /** The subcommand with its verb, as a sentence names it. */
  readonly name: string;
}

/** The table that judges a call: that of the subcommand, or that of its verb. */
function selectTable(subcommand: GitSubcommand, args: readonly string[]): Result<Selected, Finding> {
  const table: SubcommandTable = SUBCOMMANDS[subcommand];
  if ("options" in table) return ok({ command: table, before: [], rest: args, name: subcommand });
  return optionsBefore(subcommand, args, table).andThen(({ before, at }) =>
    selectVerb(subcommand, args, table, { before, at }),
  );
}

interface Front {
  readonly before: readonly GivenOption[];
  /** The index of the first word that is not an option before the verb. */
  readonly at: number;
}

/** An unknown option before a verb is left to the plain form, if there is one. */
function optionsBefore(
  subcommand: string,
  args: readonly string[],
  { before: table, plain }: VerbTable,
): Result<Front, Finding> {
  const before: GivenOption[] = [];
  let at = 0;
  while (at < args.length) {
    const word = args[at] ?? "";
    if (!word.startsWith("-") || word === "-" || word === "--") break;
    const taken = readOption(subcommand, word, args[at + 1], table);
    if (taken.isErr()) {
      if (plain !== null && table.size === 0) break;
      if (word === "-h" && plain !== null) break;
      return err(taken.error);
    }
    before.push(...taken.value.options);
    at += 1 + taken.value.next;
  }
  return ok({ before, at });
}

function selectVerb(
  subcommand: string,
  args: readonly string[],
  { verbs, plain, open = false }: VerbTable,
  { before, at }: Front,
): Result<Selected, Finding> {
  const word = args[at];
  const verb = word === undefined ? undefined : verbs.get(word);
  if (verb !== undefined && "refused" in verb) return err(never(`git ${subcommand} ${word}`, verb.refused));
  if (verb !== undefined)
    return ok({ command: verb, before, rest: args.slice(at + 1), name: `${subcommand} ${word}` });
  if (plain !== null && (open || word === undefined || word.startsWith("-")))
    return ok({ command: plain, before, rest: args.slice(at), name: subcommand });
  return err(
    never(word === undefined ? `git ${subcommand}` : `git ${subcommand} ${word}`, {
      rule: "verb.unknown",
      because: word === undefined ? "needs a verb" : "is no verb that is allowed",
      instead: `Use one of: ${[...verbs].flatMap(([name, one]) => ("refused" in one ? [] : [name])).join(", ")}.`,
    }),
  );
}
