/** Makes a commit of a worktree's files as they are now, which no reference names. */
import { ok, safeTry } from "neverthrow";
import type { GitAnswer } from "../process/git-error.ts";
import { readHead } from "../refs/refs.ts";
import { identityVariables, TAZUNA } from "../repository/identity.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";
import { treeOfFiles } from "../snapshot/tree-of-files.ts";

interface LiveFiles {
  readonly tree: string;
  /** HEAD; null before the first commit. */
  readonly base: string | null;
}

/** What lies in the worktree now; ignored files are left out, as of a snapshot. */
export async function readLiveFiles(git: Git, target: GitTarget): GitAnswer<LiveFiles> {
  return safeTry(async function* () {
    const { sha: base } = yield* await readHead(git, target);
    const tree = yield* await treeOfFiles(git, target);
    return ok({ tree, base });
  });
}

/** Its only parent is HEAD. */
export async function commitLiveFiles(
  git: Git,
  target: GitTarget,
  { tree, base }: LiveFiles,
): GitAnswer<string> {
  const parent = base === null ? [] : ["-p", base];
  const args = ["commit-tree", tree, ...parent, "-m", "Tazuna: the files while a run works", "--no-gpg-sign"];
  const committed = await git.run(target, args, {
    extraEnv: identityVariables({ source: "fallback", author: TAZUNA, committer: TAZUNA }),
  });
  return committed.map(({ stdout }) => stdout.trim());
}
