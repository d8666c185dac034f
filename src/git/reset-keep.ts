/** Takes a worktree back to another commit, the branch, the index and the files that differ between the two. */
import type { Result } from "neverthrow";
import type { GitError } from "./git-error.ts";
import type { Git, GitTarget } from "./run-git.ts";

/** `git reset --keep SHA`: it moves the branch that HEAD is on. Git refuses where a file that it would write was edited; then nothing changes. */
export async function resetKeep(git: Git, target: GitTarget, sha: string): Promise<Result<void, GitError>> {
  const reset = await git.run(target, ["reset", "--keep", "--quiet", sha, "--"], {
    access: "objects",
    lockRetries: 6,
  });
  return reset.map(() => undefined);
}
