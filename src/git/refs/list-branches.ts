/** Lists what a task can begin from: local branches, those of remotes, and tags, the newest first. */
import type { GitAnswer } from "../process/git-error.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";

interface ListedBranch {
  /** As a person names it as a base, such as `main` or `origin/main`. */
  readonly name: string;
  readonly remote: boolean;
  readonly tag: boolean;
  /** Of the commit. */
  readonly sha: string;
  /** When its newest commit, or the tag, was made, UTC ISO. */
  readonly at: string;
}

export async function listBranches(
  git: Git,
  target: GitTarget,
  { limit }: { readonly limit: number },
): GitAnswer<readonly ListedBranch[]> {
  const listed = await git.run(target, [
    "for-each-ref",
    "--sort=-creatordate",
    `--count=${limit}`,
    "--format=%(objectname)%00%(objecttype)%00%(*objectname)%00%(*objecttype)%00%(refname)%00%(symref)%00%(creatordate:unix)",
    "refs/heads",
    "refs/remotes",
    "refs/tags",
  ]);
  return listed.map(({ stdout }) => stdout.split("\n").filter(Boolean).flatMap(branchOfLine));
}

/** The HEAD of a remote is another branch's name. A tag of something else than a commit is no base. */
function branchOfLine(line: string): readonly ListedBranch[] {
  const [own = "", type = "", tagged = "", taggedType = "", ref = "", symref = "", seconds = ""] =
    line.split("\0");
  if (symref !== "" || (taggedType || type) !== "commit") return [];
  const name = ref.replace(/^refs\/(?:heads|remotes|tags)\//, "");
  return [
    {
      name,
      remote: ref.startsWith("refs/remotes/"),
      tag: ref.startsWith("refs/tags/"),
      sha: tagged || own,
      at: new Date(Number(seconds) * 1000).toISOString(),
    },
  ];
}
