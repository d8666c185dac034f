/** Checks that a worktree and its private git directory are real, in their place, and readable for git. */
import { lstatSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { entriesIn, isPipe } from "../../utils/paths/read-what-is-there.ts";

/** A place that should be a real folder or file, but leads elsewhere. */
export interface Redirected {
  readonly at: string;
  readonly message: string;
}

/**
 * The directory with the objects, references and settings of a git directory, derived from its path. A linked
 * worktree's git directory is `worktrees/NAME` in it. The file `commondir` does not count, since an agent can write
 * it.
 */
export function commonDirByPlace(gitDir: string): string {
  const parent = dirname(gitDir);
  if (basename(parent) !== "worktrees") return gitDir;
  const common = dirname(parent);
  return lstatSync(join(common, "objects"), { throwIfNoEntry: false })?.isDirectory() ? common : gitDir;
}

/**
 * The value for `GIT_COMMON_DIR`, so that git does not read the file `commondir`. Null for a repository's own
 * directory without such a file, as git makes it.
 */
export function commonDirToName(gitDir: string): string | null {
  const common = commonDirByPlace(gitDir);
  if (common !== gitDir) return common;
  return lstatSync(join(gitDir, "commondir"), { throwIfNoEntry: false }) === undefined ? null : gitDir;
}

/** Files of a repository that every call reads. If one is a pipe, each call would wait for its time limit. */
const READ_BY_ALL = ["HEAD", "config", "packed-refs", "shallow", "info/exclude", "objects/info/alternates"];

/**
 * A pipe in place of a file of `READ_BY_ALL`. For a linked worktree, also a link in place of its folder, its git
 * directory or the folder above. The same for a link or a pipe in its git directory. Null if all is well, or gone.
 */
export function findRedirected(place: {
  readonly gitDir: string;
  readonly workTree: string | null;
}): Redirected | null {
  const { gitDir, workTree } = place;
  const common = commonDirByPlace(gitDir);
  const pipe = READ_BY_ALL.map((name) => join(common, name)).find(isPipe);
  if (pipe !== undefined) return blocked(pipe);
  if (common === gitDir) return null;
  const places = [...(workTree === null ? [] : [workTree]), dirname(gitDir), gitDir];
  const link = places.find((place) => lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink());
  if (link !== undefined) return redirected(link);
  const inside = entriesIn(gitDir).find((entry) => entry.isSymbolicLink() || entry.isFIFO());
  if (inside === undefined) return null;
  const at = join(gitDir, inside.name);
  return inside.isFIFO() ? blocked(at) : redirected(at);
}

function redirected(at: string): Redirected {
  return {
    at,
    message: `${at} is a link, which git does not make: each change there would be made elsewhere`,
  };
}

function blocked(at: string): Redirected {
  return { at, message: `${at} is a pipe, which git does not make: a program that reads it waits forever` };
}
