/** Finds the two commits between which lies everything that a merge of an attempt brought into its target. */
import { ok, type Result, safeTry } from "neverthrow";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import { mergedAlready } from "../../git/merge/merged-already.ts";
import type { GitError } from "../../git/process/git-error.ts";
import type { RemoteError } from "../../git/process/remote-error.ts";
import { type CommitFacts, readCommit } from "../../git/refs/read-commit.ts";
import { isAncestor } from "../../git/refs/rev-list.ts";
import type { GitTarget } from "../../git/runner/run-git.ts";
import type { Uses } from "../core/context-parts.ts";

export interface MergedRange {
  /** The commit that brought it in. */
  readonly commit: CommitFacts;
  /** The first parent of a merge, the parent of a squash, or the commit before the first of a range. */
  readonly before: string;
}

/** Null if the commits are not here, or if nothing tells where the range begins. */
export async function mergedRange(
  context: Uses<"git">,
  place: GitTarget,
  { merged, base }: Pick<Attempt, "merged" | "base">,
): Promise<Result<MergedRange | null, GitError | RemoteError>> {
  return safeTry(async function* () {
    if (merged === null) return ok(null);
    const { git } = context;
    const commit = yield* await readCommit(git, place, merged.commit);
    if (commit === null) return ok(null);
    const [parent, second] = commit.parents;
    if (parent === undefined) return ok(null);
    if (second !== undefined && merged.commit !== merged.tip) return ok({ commit, before: parent });
    const { before } = merged;
    if (
      before !== null &&
      (yield* await isAncestor(git, place, { ancestor: before, descendant: commit.sha }))
    )
      return ok({ commit, before });
    if (base.sha === null) return ok(null);
    if (merged.commit === merged.tip) return ok({ commit, before: base.sha });
    const found = yield* await mergedAlready(git, place, {
      target: merged.commit,
      tip: merged.tip,
      base: base.sha,
    });
    return ok({ commit, before: found?.commit === commit.sha ? (found.before ?? parent) : parent });
  });
}
