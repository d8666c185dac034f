/** Lists the symbolic links of the index. */
import type { Result } from "neverthrow";
import type { GitError } from "./git-error.ts";
import { fromNul } from "./nul-list.ts";
import type { Git, GitTarget } from "./run-git.ts";

const MOST_BYTES = 1024 ** 3;

export interface StagedLink {
  readonly path: string;
  /** The blob that holds the target. */
  readonly sha: string;
}

/** By path. */
export async function listLinks(
  git: Git,
  target: GitTarget,
): Promise<Result<readonly StagedLink[], GitError>> {
  const listed = await git.run(target, ["ls-files", "--stage", "-z"], { maxOutputBytes: MOST_BYTES });
  return listed.map(({ stdout }) =>
    fromNul(stdout).flatMap((field) => {
      const [, sha, path] = /^120000 ([0-9a-f]+) 0\t([\s\S]*)$/.exec(field) ?? [];
      return sha === undefined || path === undefined ? [] : [{ sha, path }];
    }),
  );
}
