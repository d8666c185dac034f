/** Parses the words of a call once, by the table of its subcommand or verb, for all later judges. */
import { err, ok, type Result } from "neverthrow";
import { bareCall, type GitCall, parseCall } from "../parse/parse-call.ts";
import type { CommandTable } from "../table/command-table.ts";
import { SUBCOMMANDS } from "../tables/subcommands.ts";
import type { GitSubcommand } from "../verdicts/seed-lists.ts";
import type { Finding } from "../verdicts/verdict.ts";
import { selectTable } from "./select-table.ts";

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
  const selected = selectTable(subcommand, args, SUBCOMMANDS[subcommand]);
  if (selected.isErr()) return err({ finding: selected.error, table: null });
  const { command: table, before, rest, name } = selected.value;
  if (rest.length === 1 && rest[0] === "-h")
    return ok({ call: { ...bareCall(name), options: before, asksForUsage: true }, table });
  const { options, endOfOptions = true } = table;
  return parseCall(name, rest, { options, endOfOptions })
    .map((call) => ({ call: { ...call, options: [...before, ...call.options] }, table }))
    .mapErr((finding) => ({ finding, table }));
}
