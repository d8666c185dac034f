/** Reads one commit: its tree, its parents, its message, and whether all objects of its tree exist. */
import { err, ok } from "neverthrow";
import type { GitAnswer } from "../process/git-error.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";

export interface CommitFacts {
  /** In full. */
  readonly sha: string;
  readonly tree: string;
  readonly parents: readonly string[];
  /** Subject, body and trailers as they were written. */
  readonly message: string;
}

/** The commit that a revision means, or null if there is none. */
export async function readCommit(
  git: Git,
  target: GitTarget,
  revision: string,
): GitAnswer<CommitFacts | null> {
  const format = "--format=%H%x00%T%x00%P%x00%B";
  const args = ["log", "--max-count=1", "--no-show-signature", format, revision, "--"];
  const shown = await git.run(target, args);
  if (shown.isErr()) {
    const { error } = shown;
    return error.kind === "git_failed" && NO_SUCH_REVISION.test(error.stderr) ? ok(null) : err(error);
  }
  const [sha = "", tree = "", parents = "", message = ""] = shown.value.stdout.split("\0");
  const parentIds = parents === "" ? [] : parents.split(" ");
  return ok({ sha, tree, parents: parentIds, message: message.replace(/\n+$/, "") });
}

const NO_SUCH_REVISION = /bad revision|unknown revision|bad object|does not have any commits/;

/** Walks the tree of one commit down to its files (`rev-list --objects --no-walk`); false if an object is missing. */
export async function isCommitWhole(git: Git, target: GitTarget, sha: string): GitAnswer<boolean> {
  const walked = await git.run(target, ["rev-list", "--objects", "--no-walk", "--quiet", sha, "--"], {
    expect: [0, 128],
  });
  return walked.map(({ exitCode }) => exitCode === 0);
}
