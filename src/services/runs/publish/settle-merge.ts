/** Ends a merge of the remote's work: with a commit to push, or undone if gate or git refuses. */
import { err, ok, type Result } from "neverthrow";
import { type CommitFacts, readCommit } from "../../../git/refs/read-commit.ts";
import { isAncestor } from "../../../git/refs/rev-list.ts";
import { fetchBranch } from "../../../git/remote/fetch.ts";
import { remoteHead } from "../../../git/remote/ls-remote.ts";
import type { Remote } from "../../../git/remote/remote.ts";
import type { GitContext, Uses } from "../../core/context-parts.ts";
import { gitFailed, gitFailedAt } from "../../run-core/git-failure.ts";
import { note, type RunWorld, type Step } from "../../run-core/step.ts";
import { repositoryTarget } from "../../run-core/targets.ts";
import { holdBranch } from "./hold-branch.ts";
import { judgeMerge } from "./judge-merge.ts";

interface MergeSource {
  readonly remote: Remote;
  /** Our commit, which the publish gate has accepted. */
  readonly from: string;
}

/**
 * The commit to push; null if another process moved the branch. If gate or git refuses the merge, the branch goes back
 * to `from`. Otherwise the next push would take the refused merge along.
 */
export async function settleMerge(
  context: GitContext & Uses<"locks">,
  world: RunWorld,
  source: MergeSource,
): Promise<Result<string | null, Step>> {
  context.failpoint("before:merge_proof");
  const proved = await proveMerge(context, world, source);
  if (proved.isOk()) return ok(proved.value);
  const held = await holdBranch(context, world, { sha: source.from, files: "go_back" });
  if (held.isOk()) return err(proved.error);
  const { notes = [] } = proved.error;
  const message = `The merge was not taken back: ${held.error.failure?.message ?? ""}`;
  return err({ ...proved.error, notes: [...notes, note("branch_unproved", message, { sha: source.from })] });
}

/**
 * The commit to push: `from`, or its merge with the remote's commit, or the remote's commit if that contains `from`.
 * Null if the branch is at any other commit.
 */
async function proveMerge(
  context: Uses<"git" | "locks">,
  world: RunWorld,
  source: MergeSource,
): Promise<Result<string | null, Step>> {
  const { from } = source;
  const target = repositoryTarget(world.repository);
  const read = await readCommit(context.git, target, `refs/heads/${world.attempt.branch}`);
  if (read.isErr()) return err(gitFailed("push", read.error));
  const tip = read.value;
  if (tip === null || tip.sha === from) return ok(from);
  const theirs = theirsOf(tip, from);
  const published = await isPublished(context, world, { ...source, sha: theirs });
  if (published.isErr()) return err(published.error);
  if (!published.value) return ok(null);
  if (theirs === tip.sha) {
    const holds = await isAncestor(context.git, target, { ancestor: from, descendant: theirs });
    return holds.map((held) => (held ? theirs : null)).mapErr(gitFailedAt("push"));
  }
  const judged = await judgeMerge(context, world, { from, theirs, merged: tip });
  return judged.map(() => tip.sha);
}

/** The other side of a merge; the commit itself if it is not a merge of `from`. */
function theirsOf({ sha, parents }: CommitFacts, from: string): string {
  const [first, second] = parents;
  return parents.length === 2 && first === from && second !== undefined ? second : sha;
}

/** Asks the remote itself: others can write the local record of its branch. */
async function isPublished(
  context: Uses<"git" | "locks">,
  { attempt, repository }: RunWorld,
  { remote, sha }: { readonly remote: Remote; readonly sha: string },
): Promise<Result<boolean, Step>> {
  const { branch } = attempt;
  const target = repositoryTarget(repository);
  const head = await remoteHead(context.git, target, { remote: remote.name, branch });
  if (head.isErr()) return err(gitFailed("push", head.error));
  if (head.value === null || head.value === sha) return ok(head.value === sha);
  // The branch has moved on since.
  const fetched = await context.locks.shared(repository.commonDir, () =>
    fetchBranch(context.git, target, { remote, branch }),
  );
  if (fetched.isErr()) return err(gitFailed("push", fetched.error));
  const contained = await isAncestor(context.git, target, { ancestor: sha, descendant: head.value });
  return contained.mapErr(gitFailedAt("push"));
}
