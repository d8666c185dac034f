/** Decides whether a call would lose something, apart from all other objections (seed 002 Key Functions). */

import { destructivePatterns } from "../verdicts/seed-lists.ts";
import { checkGitCommand } from "./check-git-command.ts";

/**
 * Judges by the tables, which know values, clusters and dry runs. If they cannot read the call, or never allow it,
 * the seed's patterns decide as written.
 */
export function isDestructive(subcommand: string, args: readonly string[]): boolean {
  const { verdict } = checkGitCommand(subcommand, args, { workspaceRoot: "/" });
  if (verdict !== "never") return verdict === "destructive";
  // A caller without types may pass any value.
  const words = Array.isArray(args) ? args.filter((arg) => typeof arg === "string") : [];
  return destructivePatterns().some(
    (pattern) => pattern.subcommand === subcommand && pattern.args.every((wanted) => matches(wanted, words)),
  );
}

function matches(wanted: string, args: readonly string[]): boolean {
  return args.some((arg) => arg === wanted || (wanted.startsWith("--") && arg.startsWith(`${wanted}=`)));
}
