/** Removes lock files of a killed git from an attempt's own part of a repository, or from our own references. */
import { lstat, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

interface Stale {
  /** Absolute paths that end in `.lock`. */
  readonly places: readonly string[];
  /** Whether a running git may hold them; called once a lock was seen. */
  readonly isHeld: () => Promise<boolean>;
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

/**
 * Removes those of the locks that exist, and returns them. Only for a caller with proof that no git of ours or the
 * agent's works there; a person's may. The age of a lock proves nothing, because clocks can be set. Never name locks
 * of shared files.
 */
export async function removeStaleLocks({ places, isHeld }: Stale): Promise<readonly string[]> {
  const locks = (await Promise.all(places.map(seen))).filter((lock) => lock !== null);
  if (locks.length === 0 || (await isHeld())) return [];
  const removed: string[] = [];
  for (const { path, inode } of locks) {
    // A lock that was made since belongs to a process that has just begun.
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
