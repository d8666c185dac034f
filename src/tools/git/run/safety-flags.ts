/** Adds the options that keep a git call from running what attributes, remotes or a mistaken name would bring in. */
import { parseCall } from "../../../domain/git-policy/parse/parse-call.ts";
import { selectTable } from "../../../domain/git-policy/select-table.ts";
import { SUBCOMMANDS } from "../../../domain/git-policy/tables/subcommands.ts";

const FLAGS: ReadonlyMap<string, readonly string[]> = new Map([
  ["diff", ["--no-ext-diff", "--no-textconv"]],
  ["log", ["--no-ext-diff", "--no-textconv"]],
  ["show", ["--no-ext-diff", "--no-textconv"]],
  ["blame", ["--no-textconv"]],
  ["fetch", ["--upload-pack=git-upload-pack"]],
  ["pull", ["--upload-pack=git-upload-pack"]],
  ["push", ["--receive-pack=git-receive-pack"]],
  ["checkout", ["--no-overwrite-ignore"]],
  ["switch", ["--no-overwrite-ignore"]],
  ["merge", ["--no-overwrite-ignore"]],
]);

/** The arguments as git gets them. Ours stand first; the policy refuses what would take them back. */
export function withSafetyFlags(subcommand: string, args: readonly string[]): readonly string[] {
  if (args.length === 1 && args[0] === "-h") return args;
  const flags = FLAGS.get(subcommand) ?? [];
  // A file of that name is then not overwritten: git looks for a branch only.
  const end = subcommand === "checkout" && isSingleName(args) ? ["--"] : [];
  return [...flags, ...args, ...end];
}

function isSingleName(args: readonly string[]): boolean {
  const selected = selectTable("checkout", args, SUBCOMMANDS.checkout);
  if (selected.isErr()) return false;
  const { command, rest, name } = selected.value;
  const call = parseCall(name, rest, {
    options: command.options,
    endOfOptions: command.endOfOptions ?? true,
  });
  return call.isOk() && call.value.operands.length === 1 && !call.value.dashes;
}
