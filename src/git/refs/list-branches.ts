/** Lists local branches and those of remotes, the newest commit first. */
import type { GitAnswer } from "../process/git-error.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";

interface ListedBranch {
  /** As a person names it as a base, such as `main` or `origin/main`. */
  readonly name: string;
  readonly remote: boolean;
  readonly sha: string;
  /** When its newest commit was made, UTC ISO. */
  readonly at: string;
}

export async function listBranches(
  git: Git,
  target: GitTarget,
  { limit }: { readonly limit: number },
): GitAnswer<readonly ListedBranch[]> {
  const listed = await git.run(target, [
    "for-each-ref",
    "--sort=-committerdate",
    `--count=${limit}`,
    "--format=%(objectname)%00%(refname)%00%(symref)%00%(committerdate:unix)",
    "refs/heads",
    "refs/remotes",
  ]);
  return listed.map(({ stdout }) => stdout.split("\n").filter(Boolean).flatMap(branchOfLine));
}

/** The HEAD of a remote is another branch's name. */
function branchOfLine(line: string): readonly ListedBranch[] {
  const [sha = "", ref = "", symref = "", seconds = ""] = line.split("\0");
  if (symref !== "") return [];
  const remote = ref.startsWith("refs/remotes/");
  const name = ref.replace(/^refs\/(?:heads|remotes)\//, "");
  return [{ name, remote, sha, at: new Date(Number(seconds) * 1000).toISOString() }];
}
