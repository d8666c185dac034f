/** Removes lock files that a killed git process left in an attempt's own corner of a repository. */
import { lstat, rm } from "node:fs/promises";
import { join } from "node:path";

/**
 * Removes the locks of the worktree's index and HEAD and of its branch, and returns what was removed. Only for a caller that
 * has proof that no git of ours and of the agent works on this worktree any more; a person's may, for which `isHeld` is asked
 * once a lock was seen. How old one is says nothing: clocks are set. Locks of anything shared are never touched.
 */
export async function removeStaleLocks(stale: {
  /** The worktree's private git directory. */
  readonly gitDir: string;
  readonly commonDir: string;
  readonly branch: string;
  /** Whether a git that lives may hold them. */
  readonly isHeld: () => Promise<boolean>;
}): Promise<readonly string[]> {
  const places = [
    join(stale.gitDir, "index.lock"),
    join(stale.gitDir, "HEAD.lock"),
    join(stale.commonDir, "refs", "heads", `${stale.branch}.lock`),
  ];
  const locks = (await Promise.all(places.map(seen))).filter((lock) => lock !== null);
  if (locks.length === 0 || (await stale.isHeld())) return [];
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
