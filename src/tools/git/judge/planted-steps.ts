/** Finds files of a stopped rebase, am or bisect that make git run a program, write elsewhere or lose changes. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { has } from "../../../domain/git-policy/table/command-table.ts";
import type { CallNature } from "../repository/call-flaw.ts";
import type { RepositoryFlaw } from "../repository/find-repository.ts";

/** Any program that may write the repository may have put them there. */
export function stepFlaw({ subcommand, call }: CallNature, gitDir: string): RepositoryFlaw | null {
  if (subcommand === "am" || subcommand === "rebase") {
    const goesOn = has(call, "continue", "skip", "r", "retry", "allow-empty");
    return goesOn ? (todoFlaw(gitDir) ?? patchingFlaw(gitDir)) : null;
  }
  if (subcommand !== "bisect") return null;
  const at = join(gitDir, "BISECT_START");
  return textOf(at).startsWith("-")
    ? { at, message: `${at} names no branch, and git would take it for an option.` }
    : null;
}

function todoFlaw(gitDir: string): RepositoryFlaw | null {
  const at = join(gitDir, "rebase-merge", "git-rebase-todo");
  return /^[ \t\r]*(exec|x)[ \t\r]/m.test(textOf(at))
    ? { at, message: `${at} holds a step that runs a command. Take it out, or git rebase --quit.` }
    : null;
}

/** As `git am` writes them: each one in single quotes. */
const PLAIN_PATCHING =
  /^(?: ?'(?:--(?:whitespace|directory|exclude|include)=[^']*|--(?:ignore-space-change|ignore-whitespace|reject)|-[Cp][0-9]+)')*\s*$/;

/** Options for all remaining patches. One such option writes a file anywhere. */
function patchingFlaw(gitDir: string): RepositoryFlaw | null {
  const at = join(gitDir, "rebase-apply", "apply-opt");
  return PLAIN_PATCHING.test(textOf(at))
    ? null
    : { at, message: `${at} holds options that git am does not write. Take them out, or git am --quit.` };
}

/** Empty if there is no such file. */
function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
