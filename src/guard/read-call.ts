/** Says what a call of git is, by the policy that all doors share: whether it only reads, and where it is told to work. */
import { readGlobalOptions } from "../domain/git-policy/argv/global-options.ts";
import { checkGitCommand } from "../domain/git-policy/check-git-command.ts";
import { readsOnly } from "../domain/git-policy/reads-only.ts";

export interface GuardedCall {
  /** What stood in front of the subcommand, as it was written. */
  readonly globals: readonly string[];
  /** Values of `-C`, each relative to the one before. */
  readonly folders: readonly string[];
  /** Null where git is only asked about itself. */
  readonly subcommand: string | null;
  readonly args: readonly string[];
  /** False where an option in front of the subcommand is not known: it may say where, and what follows. */
  readonly isReadable: boolean;
  /** Whether it changes nothing; what the policy does not know is taken to write. */
  readonly reads: boolean;
}

/**
 * `words` are what follows `git`. What the policy holds against options in front of a subcommand does not count here: the
 * place is looked at later, and a program that a setting names is started by whoever could start it anyway.
 */
export function readCall(words: readonly string[], cwd: string): GuardedCall {
  const { rest, folders, findings, printsOnly } = readGlobalOptions(words);
  const unknown = findings.find(({ rule }) => rule === "global-option.unknown");
  if (unknown !== undefined)
    return {
      globals: [],
      folders: [],
      subcommand: words.join(" "),
      args: [],
      isReadable: false,
      reads: false,
    };
  const [subcommand = null, ...args] = rest;
  const call = { globals: words.slice(0, words.length - rest.length), folders, args, isReadable: true };
  if (printsOnly || subcommand === null) return { ...call, subcommand: null, reads: true };
  return { ...call, subcommand, reads: changesNothing(subcommand, args, cwd) };
}

function changesNothing(subcommand: string, args: readonly string[], cwd: string): boolean {
  if (readsOnly(subcommand, args)) return true;
  const { verdict, tier } = checkGitCommand(subcommand, args, { workspaceRoot: "/", cwd });
  return verdict === "allow" && tier === "read";
}
