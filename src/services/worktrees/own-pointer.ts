/** Checks whether a folder is the worktree that git made for an attempt: its `.git` file names that registration. */
import { basename, dirname, join } from "node:path";
import { readPlainFile } from "../../utils/paths/read-plain-file.ts";

/** Longer than any path that a system allows. */
const MAX_BYTES = 8192;

/** The git directory that the `.git` file of a folder names; null if it is anything else. */
export function pointerIn(folder: string): string | null {
  const text = readPlainFile(join(folder, ".git"), MAX_BYTES) ?? "";
  return /^gitdir: ([^\n\r]+)[\r\n]*$/.exec(text)?.[1] ?? null;
}

/**
 * The name of the registration is random and was never another's. The rest of the path changes if the repository is
 * moved.
 */
export function pointsAt(folder: string, gitDir: string): boolean {
  const pointer = pointerIn(folder) ?? "";
  return basename(pointer) === basename(gitDir) && basename(dirname(pointer)) === "worktrees";
}
