/** Asks git whether it has everything that a commit's tree names. */
import type { Result } from "neverthrow";
import type { GitError } from "./git-error.ts";
import type { Git, GitTarget } from "./run-git.ts";

/** Walks the tree of one commit down to its files (`rev-list --objects --no-walk`); false where anything is missing. */
export async function isCommitWhole(
  git: Git,
  target: GitTarget,
  sha: string,
): Promise<Result<boolean, GitError>> {
  const walked = await git.run(target, ["rev-list", "--objects", "--no-walk", "--quiet", sha, "--"], {
    expect: [0, 128],
  });
  return walked.map(({ exitCode }) => exitCode === 0);
}
