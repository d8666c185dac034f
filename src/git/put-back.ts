/** Makes single files of a worktree as HEAD has them, in the index too; what HEAD lacks goes. Whoever asks has kept them before. */
import { err, type Result } from "neverthrow";
import type { GitError } from "./git-error.ts";
import { toNul } from "./nul-list.ts";
import type { Git, GitTarget } from "./run-git.ts";

export async function putBack(
  git: Git,
  target: GitTarget,
  paths: readonly string[],
): Promise<Result<void, GitError>> {
  const listed = ["--pathspec-from-file=-", "--pathspec-file-nul"];
  const options = { stdin: toNul(paths), extraEnv: { GIT_LITERAL_PATHSPECS: "1" }, lockRetries: 6 };
  // Git only takes away what it knows.
  const added = await git.run(target, ["add", "-A", ...listed], options);
  if (added.isErr()) return err(added.error);
  const restored = await git.run(target, ["restore", "--source=HEAD", "--staged", "--worktree", ...listed], {
    ...options,
    access: "objects",
  });
  return restored.map(() => undefined);
}
