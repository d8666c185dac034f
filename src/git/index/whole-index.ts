/** Copies the index of a worktree, builds it from a tree, or resets it to HEAD; files stay unchanged. */
import { copyFile, utimes } from "node:fs/promises";
import { join } from "node:path";
import type { Result } from "neverthrow";
import { lookAt } from "../../utils/files/is-there.ts";
import type { GitError } from "../process/git-error.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";

/**
 * Git takes a file as unchanged if its size and time, in whole seconds, are those of the index. It reads the content
 * only if the file is as new as the index itself (git's `racy-git` document). So the copy must get the time of the
 * original. False if there is no index to copy.
 */
export async function copyIndex({ gitDir }: GitTarget, to: string): Promise<boolean> {
  const from = join(gitDir, "index");
  // Read before the copy. If the index is replaced meanwhile, git only rechecks more files than it must.
  const written = await lookAt(from);
  if (written === null) return false;
  await copyFile(from, to);
  const second = Math.floor(written.mtimeMs / 1000);
  await utimes(to, second, second);
  return true;
}

/**
 * `git read-tree -m TREE`, which leaves out what a sparse checkout leaves out. `index` is not the worktree's own
 * index file.
 */
export async function rebuildIndex(
  git: Git,
  target: GitTarget,
  source: { readonly tree: string; readonly index?: string },
): Promise<Result<void, GitError>> {
  const extraEnv = source.index === undefined ? {} : { GIT_INDEX_FILE: source.index };
  const read = await git.run(target, ["read-tree", "-m", source.tree], { extraEnv, lockRetries: 28 });
  return read.map(() => undefined);
}

/** `git reset --mixed --quiet`. The user's git may hold the index lock for a moment. */
export async function resetMixed(git: Git, target: GitTarget): Promise<Result<void, GitError>> {
  const reset = await git.run(target, ["reset", "--mixed", "--quiet"], { lockRetries: 28 });
  return reset.map(() => undefined);
}
