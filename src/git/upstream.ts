/** Makes a branch of a remote the upstream of the branch of the same name here. */
import { err, ok, type Result } from "neverthrow";
import type { GitError } from "./git-error.ts";
import type { Git, GitTarget } from "./run-git.ts";

/** What `git push -u` writes into the shared configuration, which it does for a branch only that it pushes by its name. */
export async function setUpstream(
  git: Git,
  target: GitTarget,
  { remote, branch }: { readonly remote: string; readonly branch: string },
): Promise<Result<void, GitError>> {
  const read = await git.run(target, ["config", "--get", "branch.autoSetupRebase"], { expect: [0, 1] });
  if (read.isErr()) return err(read.error);
  const rebases = /^(?:always|remote)$/i.test(read.value.stdout.trim());
  const values = [
    ["remote", remote],
    ["merge", `refs/heads/${branch}`],
    ...(rebases ? [["rebase", "true"]] : []),
  ];
  for (const [key, value = ""] of values) {
    const written = await git.run(target, ["config", "--local", `branch.${branch}.${key}`, value]);
    if (written.isErr()) return err(written.error);
  }
  return ok(undefined);
}
