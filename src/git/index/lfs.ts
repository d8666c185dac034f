/** Finds out whether a worktree stores files with Git LFS and whether this machine can, and pushes such files. */
import { err, ok } from "neverthrow";
import type { GitAnswer } from "../process/git-error.ts";
import { asRemoteError, type RemoteError } from "../process/remote-error.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";

export interface LfsFacts {
  /** A `.gitattributes` assigns files to LFS. */
  readonly used: boolean;
  /** `git lfs` runs. Not checked if LFS is not used. */
  readonly installed: boolean;
  /** The filters are configured (`git lfs install`). Without them git would store the large files themselves. */
  readonly configured: boolean;
}

/**
 * What LFS means for the staged files. If `used` is true and one of the others is false, nothing may be committed.
 * `local` fails in a partial clone that lacks a `.gitattributes`, instead of fetching it.
 */
export async function lfsFacts(
  git: Git,
  target: GitTarget,
  access: "objects" | "local" = "objects",
): GitAnswer<LfsFacts> {
  const grep = ["grep", "--cached", "--files-with-matches", "-z", "-E", "filter[[:space:]]*=[[:space:]]*lfs"];
  const found = await git.run(target, [...grep, "--", ":(top,glob)**/.gitattributes"], {
    access,
    expect: [0, 1],
  });
  if (found.isErr()) return err(found.error);
  if (found.value.exitCode === 1) return ok({ used: false, installed: false, configured: false });
  const version = await git.run(target, ["lfs", "version"], { expect: [0, 1, 127] });
  if (version.isErr()) return err(version.error);
  const clean = await git.run(target, ["config", "--get-regexp", "^filter\\.lfs\\.(clean|process)$"], {
    expect: [0, 1],
  });
  return clean.map(({ exitCode }) => ({
    used: true,
    installed: version.value.exitCode === 0,
    configured: exitCode === 0,
  }));
}

/**
 * `git lfs push REMOTE SHA`: pushes the large files of a commit, before the commit itself. It runs outside the
 * worktree, so that git-lfs reads its address from the committed `.lfsconfig`. No gate has read a `.lfsconfig` that
 * is not committed.
 */
export async function pushLfs(
  git: Git,
  target: GitTarget,
  options: {
    readonly remote: string;
    readonly branch: string;
    readonly sha: string;
    readonly timeoutMs?: number;
  },
): GitAnswer<void, RemoteError> {
  const { remote, branch, sha, ...limits } = options;
  const beside = { ...target, workTree: null };
  // Servers may ask which branch the files are for. For this, git-lfs names the upstream of what it pushes.
  const config = { "push.default": "upstream", [`branch.${sha}.merge`]: `refs/heads/${branch}` };
  const pushed = await git.run(beside, ["lfs", "push", remote, sha], { access: "remote", config, ...limits });
  return pushed.mapErr(asRemoteError).map(() => undefined);
}
