/** Lists the symbolic links of a tree. */
import type { Result } from "neverthrow";
import type { GitError } from "./git-error.ts";
import { fromNul } from "./nul-list.ts";
import type { Git, GitTarget } from "./run-git.ts";

const MOST_BYTES = 1024 ** 3;

export interface TreeLink {
  readonly path: string;
  /** The blob that holds the target. */
  readonly sha: string;
}

/** By path. A tree never changes, whoever writes the index meanwhile. */
export async function listLinks(
  git: Git,
  target: GitTarget,
  tree: string,
): Promise<Result<readonly TreeLink[], GitError>> {
  const listed = await git.run(target, ["ls-tree", "-r", "-z", "--full-tree", tree], {
    maxOutputBytes: MOST_BYTES,
  });
  return listed.map(({ stdout }) =>
    fromNul(stdout).flatMap((field) => {
      const [, sha, path] = /^120000 blob ([0-9a-f]+)\t([\s\S]*)$/.exec(field) ?? [];
      return sha === undefined || path === undefined ? [] : [{ sha, path }];
    }),
  );
}
