/** Writes the files of a tree into a worktree, its index left as it is. */
import type { Result } from "neverthrow";
import type { GitError } from "./git-error.ts";
import type { Git, GitTarget } from "./run-git.ts";

/**
 * `git restore --source=TREE --worktree`: tracked files become those of the tree, files that only the tree has are made,
 * tracked files that it lacks are removed. Untracked files stay.
 */
export async function restoreTree(
  git: Git,
  target: GitTarget,
  options: { readonly tree: string; readonly timeoutMs?: number },
): Promise<Result<void, GitError>> {
  const restored = await git.run(target, ["restore", `--source=${options.tree}`, "--worktree", "--", ":/"], {
    access: "objects",
    ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
  });
  return restored.map(() => undefined);
}
