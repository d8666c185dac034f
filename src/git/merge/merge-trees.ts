/** Merges trees by a common ancestor that the caller names, beside every worktree. */
import { safeTry } from "neverthrow";
import type { GitAnswer } from "../process/git-error.ts";
import { TAZUNA } from "../repository/identity.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";
import { commitTree } from "./commit-tree.ts";
import { type MergeError, mergeCommits } from "./merge-commits.ts";

/**
 * The tree `ours` with what changed from `base` to `theirs`. Git 2.39 takes the common ancestor from the history
 * only: each tree becomes a commit that nothing refers to.
 */
export async function mergeTrees(
  git: Git,
  target: GitTarget,
  trees: { readonly base: string; readonly ours: string; readonly theirs: string },
): GitAnswer<string, MergeError> {
  return safeTry(async function* () {
    const made = (tree: string, parents: readonly string[]) =>
      commitTree(git, target, {
        tree: `${tree}^{tree}`,
        parents,
        message: "",
        sign: false,
        ...ALWAYS_THE_SAME,
      });
    const base = yield* await made(trees.base, []);
    const ours = yield* await made(trees.ours, [base]);
    const theirs = yield* await made(trees.theirs, [base]);
    return mergeCommits(git, target, { ours, theirs });
  });
}

/** So that a repeated merge makes no further objects. */
const ALWAYS_THE_SAME = {
  identity: { source: "fallback", author: TAZUNA, committer: TAZUNA },
  date: "@0 +0000",
} as const;
