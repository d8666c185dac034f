/** Removes lock files of a killed git from an attempt's own part of a repository, or from our own references. */
import { lstat, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

interface StaleLocks {
  /** Absolute paths that end in `.lock`. Never those of files that several worktrees share. */
  readonly places: readonly string[];
  /** Whether a running git may hold them. Called only if one of them exists. */
  readonly isHeld: () => Promise<boolean>;
}

/**
 * Removes the locks that exist, and returns their paths. The caller must know that no git of Tazuna or of the agent
 * runs there. A person's git may run, so `isHeld` is asked. The age of a lock proves nothing: clocks can be set.
 */
export async function removeStaleLocks({ places, isHeld }: StaleLocks): Promise<readonly string[]> {
  const locks = (await Promise.all(places.map(existingLock))).filter((lock) => lock !== null);
  if (locks.length === 0 || (await isHeld())) return [];
  const removed: string[] = [];
  for (const { path, inode } of locks) {
    // A lock that was made since belongs to a process that has just begun.
    if ((await existingLock(path))?.inode !== inode) continue;
    await rm(path, { force: true });
    removed.push(path);
  }
  return removed;
}

/** Lock files in a worktree's private git directory (index, HEAD, own configuration), and of the attempt's branch. */
export async function ownLocks(worktree: {
  readonly gitDir: string;
  readonly commonDir: string;
  readonly branch: string;
}): Promise<readonly string[]> {
  const branch = join(worktree.commonDir, "refs", "heads", `${worktree.branch}.lock`);
  return [...(await locksIn(worktree.gitDir)), branch];
}

/** Lock files of references directly below a prefix that only Tazuna uses, such as `refs/tazuna/runs/RUN`. */
export function locksBelow(commonDir: string, name: string): Promise<readonly string[]> {
  return locksIn(join(commonDir, name));
}

async function locksIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => name.endsWith(".lock")).map((name) => join(folder, name));
}

async function existingLock(path: string): Promise<{ readonly path: string; readonly inode: number } | null> {
  const file = await lstat(path).catch(() => null);
  return file?.isFile() === true ? { path, inode: file.ino } : null;
}
