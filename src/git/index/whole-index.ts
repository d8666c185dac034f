/** Copies the index of a worktree, builds it from a tree, or resets it to HEAD; files stay unchanged. */
import { join } from "node:path";
import { copyWithTime } from "../../utils/files/copy-with-time.ts";
import type { GitAnswer } from "../process/git-error.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";

/** False if there is no index to copy. */
export function copyIndex({ gitDir }: GitTarget, to: string): Promise<boolean> {
  return copyWithTime(join(gitDir, "index"), to);
}

/**
 * `git read-tree -m TREE`, which leaves out what a sparse checkout leaves out. `index` is not the worktree's own
 * index file.
 */
export async function rebuildIndex(
  git: Git,
  target: GitTarget,
  source: { readonly tree: string; readonly index?: string },
): GitAnswer<void> {
  const extraEnv = source.index === undefined ? {} : { GIT_INDEX_FILE: source.index };
  const read = await git.run(target, ["read-tree", "-m", source.tree], { extraEnv, lockRetries: 28 });
  return read.map(() => undefined);
}

/** `git reset --mixed --quiet`. The user's git may hold the index lock for a moment. */
export async function resetMixed(git: Git, target: GitTarget): GitAnswer<void> {
  const reset = await git.run(target, ["reset", "--mixed", "--quiet"], { lockRetries: 28 });
  return reset.map(() => undefined);
}
