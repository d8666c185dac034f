/** Tells whether a worktree, or its private git directory, is still where it was made and leads nowhere else. */
import { lstatSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** A place that should be a folder or a file of its own, and leads elsewhere. */
export interface Redirected {
  readonly at: string;
  readonly message: string;
}

/**
 * The directory whose objects, references and settings a git directory has by its place: a linked worktree's lies in
 * `worktrees/NAME` of it. What the file `commondir` says does not count, since an agent can write it.
 */
export function commonDirByPlace(gitDir: string): string {
  const parent = dirname(gitDir);
  if (basename(parent) !== "worktrees") return gitDir;
  const common = dirname(parent);
  return lstatSync(join(common, "objects"), { throwIfNoEntry: false })?.isDirectory() ? common : gitDir;
}

/** The same where git could be led elsewhere; null for a repository itself, in which git makes no such file. */
export function commonDirToName(gitDir: string): string | null {
  const common = commonDirByPlace(gitDir);
  if (common !== gitDir) return common;
  return lstatSync(join(gitDir, "commondir"), { throwIfNoEntry: false }) === undefined ? null : gitDir;
}

/** Of a linked worktree only: a link in place of it, of its git directory or of a file in there. Null where all is well, or gone. */
export function findRedirected(of: {
  readonly gitDir: string;
  readonly workTree: string | null;
}): Redirected | null {
  const { gitDir, workTree } = of;
  if (commonDirByPlace(gitDir) === gitDir) return null;
  const places = [...(workTree === null ? [] : [workTree]), dirname(gitDir), gitDir];
  const link = places.find((place) => lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink());
  if (link !== undefined) return redirected(link);
  const inside = entriesOf(gitDir).find((entry) => entry.isSymbolicLink());
  return inside === undefined ? null : redirected(join(gitDir, inside.name));
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function redirected(at: string): Redirected {
  return {
    at,
    message: `${at} is a link, which git does not make: whatever is done there would be done elsewhere`,
  };
}
