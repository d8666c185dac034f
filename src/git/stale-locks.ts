/** Removes lock files that a killed git process left in an attempt's own corner of a repository. */
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";

/**
 * Removes the locks of the worktree's index and HEAD and of its branch, where they are older than `madeBefore`, and
 * returns what was removed. Only for a caller that has proof that no git process works on this worktree any more: the
 * engine at its start, after the processes it finds by marker are gone. Locks of anything shared are never touched.
 */
export async function removeStaleLocks(stale: {
  /** The worktree's private git directory. */
  readonly gitDir: string;
  readonly commonDir: string;
  readonly branch: string;
  readonly madeBefore: Date;
}): Promise<readonly string[]> {
  const locks = [
    join(stale.gitDir, "index.lock"),
    join(stale.gitDir, "HEAD.lock"),
    join(stale.commonDir, "refs", "heads", `${stale.branch}.lock`),
  ];
  const old = await Promise.all(locks.map((lock) => isOlder(lock, stale.madeBefore)));
  const found = locks.filter((_, index) => old[index]);
  await Promise.all(found.map((lock) => rm(lock, { force: true })));
  return found;
}

async function isOlder(path: string, than: Date): Promise<boolean> {
  const file = await stat(path).catch(() => null);
  return file?.isFile() === true && file.mtimeMs < than.getTime();
}
