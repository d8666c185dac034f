/** Makes the index of a worktree that of HEAD, every file left as it is. */
import type { Result } from "neverthrow";
import type { GitError } from "./git-error.ts";
import type { Git, GitTarget } from "./run-git.ts";

/** `git reset --mixed --quiet`. A person's git may hold the index for a moment. */
export async function resetMixed(git: Git, target: GitTarget): Promise<Result<void, GitError>> {
  const reset = await git.run(target, ["reset", "--mixed", "--quiet"], { lockRetries: 28 });
  return reset.map(() => undefined);
}
