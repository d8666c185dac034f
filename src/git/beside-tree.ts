/** Lists what lies in a folder and is in no tree: in a snapshot's folder that is what git ignored there. */
import { join } from "node:path";
import { err, ok, type Result } from "neverthrow";
import type { GitError } from "./git-error.ts";
import { fromNul } from "./nul-list.ts";
import type { Git, GitTarget } from "./run-git.ts";
import { withScratch } from "./scratch.ts";

const MOST_BYTES = 1024 ** 3;

/** Paths of files, and of folders (with a slash at the end) in which nothing is of the tree. `target` names the folder as its worktree. */
export async function listBesideTree(
  git: Git,
  target: GitTarget,
  tree: string,
): Promise<Result<readonly string[], GitError>> {
  return withScratch(git, "beside", async (folder) => {
    const extraEnv = { GIT_INDEX_FILE: join(folder, "index") };
    const read = await git.run(target, ["read-tree", tree], { extraEnv });
    if (read.isErr()) return err(read.error);
    const listed = await git.run(target, ["ls-files", "--others", "--directory", "-z"], {
      extraEnv,
      maxOutputBytes: MOST_BYTES,
    });
    return listed.isErr() ? err(listed.error) : ok(fromNul(listed.value.stdout));
  });
}
