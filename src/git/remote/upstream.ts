/** Makes a remote's branch the upstream of the local branch of the same name. */
import { err, ok } from "neverthrow";
import type { GitAnswer } from "../process/git-error.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";

/**
 * Writes what `git push -u` writes into the shared configuration. Git does so only if it pushes a branch by its name.
 */
export async function setUpstream(
  git: Git,
  target: GitTarget,
  { remote, branch }: { readonly remote: string; readonly branch: string },
): GitAnswer<void> {
  const read = await git.run(target, ["config", "--get", "branch.autoSetupRebase"], { expect: [0, 1] });
  if (read.isErr()) return err(read.error);
  const rebases = /^(?:always|remote)$/i.test(read.value.stdout.trim());
  const values = [
    ["remote", remote],
    ["merge", `refs/heads/${branch}`],
    ...(rebases ? [["rebase", "true"]] : []),
  ];
  for (const [key, value = ""] of values) {
    const args = ["config", "--local", `branch.${branch}.${key}`, value];
    const written = await git.run(target, args, { lockRetries: 6 });
    if (written.isErr()) return err(written.error);
  }
  return ok(undefined);
}

/** Moves a branch's section in the shared configuration to another name; nothing if there is no section. */
export async function renameUpstream(
  git: Git,
  target: GitTarget,
  { from, to }: { readonly from: string; readonly to: string },
): GitAnswer<void> {
  const args = ["config", "--local", "--rename-section", `branch.${from}`, `branch.${to}`];
  const renamed = await git.run(target, args, { lockRetries: 6 });
  if (renamed.isOk()) return ok(undefined);
  const { error } = renamed;
  return error.kind === "git_failed" && /no such section/i.test(error.stderr) ? ok(undefined) : err(error);
}
