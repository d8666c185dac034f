/** Finds a merge at the head of an attempt's branch that no remote has and a run must publish. */
import { err, ok, type Result } from "neverthrow";
import type { GitError } from "../../../git/process/git-error.ts";
import { type CommitFacts, readCommit } from "../../../git/refs/read-commit.ts";
import type { RemoteMissing } from "../../../git/remote/remote.ts";
import { mergedBase } from "../../attempts/merged-base.ts";
import { isPublished } from "../../attempts/published.ts";
import type { Uses } from "../../core/context-parts.ts";
import type { RunWorld } from "../../run-core/step.ts";
import { repositoryTarget } from "../../run-core/targets.ts";

/**
 * Null if the branch is at any other commit. If a run kept its merge here because nothing is pushed, it has reported
 * that already.
 */
export async function unpublishedMerge(
  context: Uses<"git">,
  world: RunWorld,
): Promise<Result<CommitFacts | null, GitError | RemoteMissing>> {
  const { run, earlier, attempt, repository, configuration } = world;
  const target = repositoryTarget(repository);
  const sha = run.startSha;
  if (sha === null || sha === attempt.base.sha || earlier.some(({ commit }) => commit === sha))
    return ok(null);
  const head = await readCommit(context.git, target, sha);
  if (head.isErr()) return err(head.error);
  if (head.value === null || head.value.parents.length < 2) return ok(null);
  // A branch that moved forward along its base holds no work of its own.
  const hasOwn = earlier.some(({ commit }) => commit !== null);
  if (!hasOwn && (await mergedBase(context, { ...world, runs: [] }, [sha])) === sha) return ok(null);
  const published = await isPublished(context, { repository, configuration, branch: attempt.branch, sha });
  return published.map((known) => (known ? null : head.value));
}
