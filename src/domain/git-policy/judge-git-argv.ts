/** Judges a command line that may be a call of git, for those who run any program but guard git. */
import { type CheckGitOptions, checkGitCommand } from "./check-git-command.ts";
import type { GitVerdict } from "./verdict.ts";

/** Null where the command line is no call of git. */
export function judgeGitArgv(argv: readonly string[], options: CheckGitOptions): GitVerdict | null {
  const [program = "", ...words] = argv;
  const name = program.split(/[\\/]/).at(-1) ?? "";
  if (name !== "git" && name !== "git.exe") return null;
  const [subcommand, ...args] = words;
  return checkGitCommand(subcommand, args, options);
}
