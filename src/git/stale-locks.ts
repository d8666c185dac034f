/** Removes lock files that a killed git process left in an attempt's own corner of a repository, or on references of our own. */
import { lstat, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

interface Stale {
  /** Absolute paths that end in `.lock`. */
  readonly places: readonly string[];
  /** Whether a git that lives may hold them; asked once a lock was seen. */
  readonly isHeld: () => Promise<boolean>;
}

/** Those in a worktree's private git directory (of its index, its HEAD, its own configuration), and of the attempt's branch. */
export async function ownLocks(of: {
  readonly gitDir: string;
  readonly commonDir: string;
  readonly branch: string;
}): Promise<readonly string[]> {
  const branch = join(of.commonDir, "refs", "heads", `${of.branch}.lock`);
  return [...(await locksIn(of.gitDir)), branch];
}

/** Those of the references directly below one that nobody but Tazuna names, such as `refs/tazuna/runs/RUN`. */
export function locksBelow(commonDir: string, name: string): Promise<readonly string[]> {
  return locksIn(join(commonDir, name));
}

async function locksIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => name.endsWith(".lock")).map((name) => join(folder, name));
}

/**
 * Removes those of the locks that are there, and returns them. Only for a caller that has proof that no git of ours and of
 * the agent works there any more; a person's may. How old a lock is says nothing: clocks are set. Locks of anything shared
 * are not to be named.
 */
export async function removeStaleLocks({ places, isHeld }: Stale): Promise<readonly string[]> {
  const locks = (await Promise.all(places.map(seen))).filter((lock) => lock !== null);
  if (locks.length === 0 || (await isHeld())) return [];
  const removed: string[] = [];
  for (const { path, inode } of locks) {
    // Another one that was made since is somebody's who has just begun.
    if ((await seen(path))?.inode !== inode) continue;
    await rm(path, { force: true });
    removed.push(path);
  }
  return removed;
}

async function seen(path: string): Promise<{ readonly path: string; readonly inode: number } | null> {
  const file = await lstat(path).catch(() => null);
  return file?.isFile() === true ? { path, inode: file.ino } : null;
}
