/** Lists the ignored files of the user's checkout that a new worktree is to be given. */
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { err, ok, type Result } from "neverthrow";
import type { GitError } from "./git-error.ts";
import { fromNul, toNul } from "./nul-list.ts";
import type { Git, GitTarget } from "./run-git.ts";

/**
 * Paths, relative to the checkout, of files that git ignores there and that match `patterns` (as in `.gitignore`) or the
 * patterns of the checkout's `.worktreeinclude`. Tracked files never come along, nor do untracked ones that are not ignored.
 */
export async function listWantedIgnoredFiles(
  git: Git,
  checkout: { readonly gitDir: string; readonly workTree: string },
  patterns: readonly string[],
): Promise<Result<readonly string[], GitError>> {
  const includeFile = join(checkout.workTree, ".worktreeinclude");
  const hasInclude = await lstat(includeFile).then(
    (file) => file.isFile(),
    () => false,
  );
  if (!hasInclude && patterns.length === 0) return ok([]);
  const wanted = [
    ...(hasInclude ? [`--exclude-from=${includeFile}`] : []),
    ...patterns.map((pattern) => `--exclude=${pattern}`),
  ];
  const matching = await git.run(checkout, ["ls-files", "--others", "--ignored", "-z", ...wanted]);
  if (matching.isErr()) return err(matching.error);
  const files = fromNul(matching.value.stdout).filter((path) => !path.endsWith("/"));
  return keepIgnored(git, checkout, files);
}

async function keepIgnored(
  git: Git,
  checkout: GitTarget,
  files: readonly string[],
): Promise<Result<readonly string[], GitError>> {
  if (files.length === 0) return ok([]);
  const ignored = await git.run(checkout, ["check-ignore", "-z", "--stdin"], {
    stdin: toNul(files),
    expect: [0, 1],
  });
  return ignored.map(({ stdout }) => fromNul(stdout));
}
