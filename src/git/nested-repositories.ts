/** Finds repositories that were made inside a worktree and are not submodules of it. */
import type { Result } from "neverthrow";
import type { GitError } from "./git-error.ts";
import { fromNul } from "./nul-list.ts";
import type { Git, GitTarget } from "./run-git.ts";

/**
 * The untracked folders that git takes for repositories of their own, without a closing slash; ignored ones are not
 * looked at. `git add` would record each as a bare commit id, its content left out. To be asked before staging.
 */
export async function findNestedRepositories(
  git: Git,
  target: GitTarget,
): Promise<Result<readonly string[], GitError>> {
  const listed = await git.run(target, ["ls-files", "--others", "--exclude-standard", "-z"]);
  return listed.map(({ stdout }) => nestedAmong(fromNul(stdout)));
}

/** A listing of untracked files names a folder, with its slash, only where it cannot look inside. */
export function nestedAmong(untracked: readonly string[]): string[] {
  return untracked.filter((path) => path.endsWith("/")).map((path) => path.slice(0, -1));
}
