/** Lists every commit that references and reflogs lead to, Tazuna's own references left out. */
import type { GitAnswer } from "../process/git-error.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";

export interface MadeCommit {
  readonly sha: string;
  readonly parents: readonly string[];
  /** Addresses of author and committer. */
  readonly by: readonly [author: string, committer: string];
}

export async function allCommits(git: Git, target: GitTarget): GitAnswer<readonly MadeCommit[]> {
  const listed = await git.run(target, [
    "rev-list",
    "--exclude=refs/tazuna/*",
    "--all",
    "--reflog",
    "--no-commit-header",
    "--format=%H%x09%P%x09%ae%x09%ce",
  ]);
  return listed.map(({ stdout }) => stdout.split("\n").filter(Boolean).map(commitOf));
}

function commitOf(line: string): MadeCommit {
  const [sha = "", parents = "", author = "", committer = ""] = line.split("\t");
  return { sha, parents: parents.split(" ").filter(Boolean), by: [author, committer] };
}
