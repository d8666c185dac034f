/** Records which branch of a remote is its default. */
import { err, ok } from "neverthrow";
import type { GitAnswer } from "../process/git-error.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";

/** `refs/remotes/REMOTE/HEAD` stands for that branch, and HEAD of the repository for the local one of its name. */
export async function pointDefaultAt(
  git: Git,
  target: GitTarget,
  { remote, branch }: { readonly remote: string; readonly branch: string },
): GitAnswer<void> {
  const both = [
    [`refs/remotes/${remote}/HEAD`, `refs/remotes/${remote}/${branch}`],
    ["HEAD", `refs/heads/${branch}`],
  ] as const;
  for (const [name, means] of both) {
    const is = await git.run(target, ["symbolic-ref", "--quiet", name], { expect: [0, 1] });
    if (is.isErr()) return err(is.error);
    if (is.value.stdout.trim() === means) continue;
    const set = await git.run(target, ["symbolic-ref", name, means], { lockRetries: 6 });
    if (set.isErr()) return err(set.error);
  }
  return ok(undefined);
}
