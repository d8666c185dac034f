/** Says whether a call would lose something, whatever else speaks against it (seed 002, `destructive?/2`). */
import { checkGitCommand } from "./check-git-command.ts";
import { destructivePatterns } from "./seed-lists.ts";

/**
 * By the tables, which know values, clusters and dry runs; where they cannot read the call, or never allow it, by the
 * seed's patterns as they are written.
 */
export function isDestructive(subcommand: string, args: readonly string[]): boolean {
  const { verdict } = checkGitCommand(subcommand, args, { workspaceRoot: "/" });
  if (verdict !== "never") return verdict === "destructive";
  return destructivePatterns().some(
    (pattern) => pattern.subcommand === subcommand && pattern.args.every((wanted) => matches(wanted, args)),
  );
}

function matches(wanted: string, args: readonly string[]): boolean {
  return args.some((arg) => arg === wanted || (wanted.startsWith("--") && arg.startsWith(`${wanted}=`)));
}
