/** Finds files of a stopped rebase or bisect by which going on would run a program or throw changes away. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { CallNature } from "./call-flaw.ts";
import type { RepositoryFlaw } from "./find-repository.ts";

/** Anybody who may write the repository may have put them there. */
export function stepFlaw({ subcommand, args }: CallNature, gitDir: string): RepositoryFlaw | null {
  if (subcommand === "rebase" && args.some((arg) => arg === "--continue" || arg === "--skip")) {
    const at = join(gitDir, "rebase-merge", "git-rebase-todo");
    return /^[ \t\r]*(exec|x)[ \t\r]/m.test(textOf(at))
      ? { at, message: `${at} holds a step that runs a command. Take it out, or git rebase --quit.` }
      : null;
  }
  if (subcommand !== "bisect") return null;
  const at = join(gitDir, "BISECT_START");
  return textOf(at).startsWith("-")
    ? { at, message: `${at} names no branch, and git would take it for an option.` }
    : null;
}

/** Empty where there is none. */
function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
