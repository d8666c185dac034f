/** Gives files of a worktree the content of HEAD, of a tree or of another commit. */
import { err } from "neverthrow";
import { ANY_LINE_ENDS } from "../index/snapshot-index.ts";
import type { GitAnswer } from "../process/git-error.ts";
import { toNul } from "../process/nul-list.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";

/**
 * Restores single files from HEAD, in the index too; a file that HEAD lacks is deleted. The
 * caller must have saved their content.
 */
export async function putBack(git: Git, target: GitTarget, paths: readonly string[]): GitAnswer<void> {
  const listed = ["--pathspec-from-file=-", "--pathspec-file-nul"];
  const options = { stdin: toNul(paths), extraEnv: { GIT_LITERAL_PATHSPECS: "1" }, lockRetries: 6 };
  // `git restore` deletes only tracked files, so new ones are added first.
  const added = await git.run(target, ["add", "-A", ...listed], { ...options, config: ANY_LINE_ENDS });
  if (added.isErr()) return err(added.error);
  const restored = await git.run(target, ["restore", "--source=HEAD", "--staged", "--worktree", ...listed], {
    ...options,
    access: "objects",
  });
  return restored.map(() => undefined);
}

/**
 * `git restore --source=TREE --worktree`: files of the tree get its content or are made. Tracked files that it lacks
 * are removed. Untracked files stay.
 */
export async function restoreTree(
  git: Git,
  target: GitTarget,
  options: { readonly tree: string; readonly timeoutMs?: number },
): GitAnswer<void> {
  const restored = await git.run(target, ["restore", `--source=${options.tree}`, "--worktree", "--", ":/"], {
    access: "objects",
    ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
  });
  return restored.map(() => undefined);
}

/**
 * Returns to another commit by `git reset --keep SHA`, which moves HEAD's branch. Git refuses if a file that it would
 * write was edited; then nothing changes.
 */
export async function resetKeep(git: Git, target: GitTarget, sha: string): GitAnswer<void> {
  const reset = await git.run(target, ["reset", "--keep", "--quiet", sha, "--"], {
    access: "objects",
    lockRetries: 6,
  });
  return reset.map(() => undefined);
}
