/** Lists ignored files: those to copy from the user's checkout to a new worktree, and those in a snapshot's folder. */
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { err, ok } from "neverthrow";
import type { GitAnswer } from "../process/git-error.ts";
import { fromNul, toNul } from "../process/nul-list.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";
import { withScratch } from "../runner/scratch.ts";

/**
 * Paths, relative to the checkout, of ignored files that match `patterns` (as in `.gitignore`). The patterns of the
 * checkout's `.worktreeinclude` count too. Tracked files are never listed, nor are untracked files that are not
 * ignored.
 */
export async function listWantedIgnoredFiles(
  git: Git,
  checkout: { readonly gitDir: string; readonly workTree: string },
  patterns: readonly string[],
): GitAnswer<readonly string[]> {
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
): GitAnswer<readonly string[]> {
  if (files.length === 0) return ok([]);
  const ignored = await git.run(checkout, ["check-ignore", "-z", "--stdin"], {
    stdin: toNul(files),
    expect: [0, 1],
  });
  return ignored.map(({ stdout }) => fromNul(stdout));
}

const MAX_BYTES = 1024 ** 3;

/**
 * What lies in a folder but not in the tree: in a snapshot's folder, these are the ignored files. Paths of files, and
 * of folders (with a slash at the end) that hold nothing of the tree. `target` names the folder as its worktree.
 */
export async function listBesideTree(
  git: Git,
  target: GitTarget,
  tree: string,
): GitAnswer<readonly string[]> {
  return withScratch(git, "beside", async (folder) => {
    const extraEnv = { GIT_INDEX_FILE: join(folder, "index") };
    const read = await git.run(target, ["read-tree", tree], { extraEnv });
    if (read.isErr()) return err(read.error);
    const listed = await git.run(target, ["ls-files", "--others", "--directory", "-z"], {
      extraEnv,
      maxOutputBytes: MAX_BYTES,
    });
    return listed.isErr() ? err(listed.error) : ok(fromNul(listed.value.stdout));
  });
}
