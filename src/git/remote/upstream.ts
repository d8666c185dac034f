/** Makes a remote's branch the upstream of the local branch of the same name. */
import { err, ok } from "neverthrow";
import type { GitAnswer } from "../process/git-error.ts";
import { fromNul, settingOf } from "../process/nul-list.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";
import { fetchesBranch, fetchesOverLocalRefs } from "./remote.ts";

/**
 * Writes what `git push -u` writes into the shared configuration. Git does so in one process if it fetches the branch.
 * In a clone of a single branch it does not. In a mirror it would name the remote-tracking reference.
 */
export async function setUpstream(git: Git, target: GitTarget, upstream: Upstream): GitAnswer<void> {
  const { remote, branch } = upstream;
  const refspecs = await settingsOf(git, target, `remote.${remote}.fetch`);
  if (refspecs.isErr()) return err(refspecs.error);
  const fetched = { name: remote, fetchRefspecs: refspecs.value };
  if (fetchesOverLocalRefs(fetched) || !fetchesBranch(fetched, branch))
    return writeUpstream(git, target, upstream);
  const args = ["branch", `--set-upstream-to=refs/remotes/${remote}/${branch}`, branch];
  const set = await git.run(target, args, { lockRetries: 6 });
  if (set.isOk()) return ok(undefined);
  // For example, two remotes are fetched into the same place.
  return set.error.kind === "git_failed" ? writeUpstream(git, target, upstream) : err(set.error);
}

interface Upstream {
  readonly remote: string;
  readonly branch: string;
}

async function writeUpstream(git: Git, target: GitTarget, { remote, branch }: Upstream): GitAnswer<void> {
  const set = await settingsOf(git, target, "branch.autosetuprebase");
  if (set.isErr()) return err(set.error);
  const rebases = /^(?:always|remote)$/i.test(set.value.at(-1) ?? "");
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

/** All values of a setting. If it can have one only, the last one counts. */
async function settingsOf(git: Git, target: GitTarget, name: string): GitAnswer<readonly string[]> {
  const asked = ["config", "--null", "--get-regexp", "^(remote\\..*\\.fetch|branch\\.autosetuprebase)$"];
  const read = await git.run(target, asked, { expect: [0, 1] });
  return read.map(({ stdout }) =>
    fromNul(stdout)
      .map(settingOf)
      .flatMap(({ key, value }) => (key === name ? [value] : [])),
  );
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
