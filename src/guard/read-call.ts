/** Classifies a call of git by the policy for git: whether it only reads, and where it works. */
import { readGlobalOptions } from "../domain/git-policy/argv/global-options.ts";
import { checkGitCommand } from "../domain/git-policy/judge/check-git-command.ts";
import { readsOnly } from "../domain/git-policy/judge/reads-only.ts";

export interface GuardedCall {
  /** The words before the subcommand, unchanged. */
  readonly globals: readonly string[];
  /** Values of `-C`, each relative to the one before. */
  readonly folders: readonly string[];
  /** Null if git is only asked about itself. */
  readonly subcommand: string | null;
  readonly args: readonly string[];
  /** False if an option before the subcommand is unknown. It may name a place, and its value may be the next word. */
  readonly isReadable: boolean;
  /** Whether it changes nothing; a command unknown to the policy counts as writing. */
  readonly reads: boolean;
}

/**
 * `words` are the words after `git`. The policy's objections to options before a subcommand do not count here. The
 * place that `-C` or `--git-dir` names is checked later (`written-places.ts`). A program that `-c` names could be
 * started without git too.
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
