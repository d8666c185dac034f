/** Proves that a branch is what a merge of the remote's work made of it, and lets the publish gate read that. */
import { err, ok, type Result } from "neverthrow";
import { fetchBranch } from "../../git/fetch.ts";
import { remoteHead } from "../../git/ls-remote.ts";
import { type CommitFacts, readCommit } from "../../git/read-commit.ts";
import type { Remote } from "../../git/remote.ts";
import { isAncestor } from "../../git/rev-list.ts";
import type { ServiceContext } from "../context.ts";
import { repositoryTarget } from "../worktrees/targets.ts";
import { gitFailed } from "./git-failure.ts";
import { judgeMerge } from "./judge-merge.ts";
import type { RunWorld, Step } from "./step.ts";

interface Of {
  readonly remote: Remote;
  /** The commit of ours that the gate has read. */
  readonly from: string;
}

/**
 * The commit to push: `from`, or its merge with what the remote has, or what the remote has where that holds `from`.
 * Null where the branch is at anything else: somebody wrote git meanwhile.
 */
export async function proveMerge(
  context: ServiceContext,
  world: RunWorld,
  of: Of,
): Promise<Result<string | null, Step>> {
  const { from } = of;
  const target = repositoryTarget(world.repository);
  const read = await readCommit(context.git, target, `refs/heads/${world.attempt.branch}`);
  if (read.isErr()) return err(gitFailed("push", read.error));
  const now = read.value;
  if (now === null || now.sha === from) return ok(from);
  const theirs = theirsOf(now, from);
  const published = await isPublished(context, world, { ...of, sha: theirs });
  if (published.isErr()) return err(published.error);
  if (!published.value) return ok(null);
  if (theirs === now.sha) {
    const holds = await isAncestor(context.git, target, { ancestor: from, of: theirs });
    return holds.map((held) => (held ? theirs : null)).mapErr((error) => gitFailed("push", error));
  }
  const judged = await judgeMerge(context, world, { from, theirs, merged: now });
  return judged.map(() => now.sha);
}

/** The other side of a merge; the commit itself where it is none of `from`. */
function theirsOf({ sha, parents }: CommitFacts, from: string): string {
  const [first, second] = parents;
  return parents.length === 2 && first === from && second !== undefined ? second : sha;
}

/** The remote itself is asked: what is noted here of its branch can be written by others. */
async function isPublished(
  context: ServiceContext,
  { attempt, repository }: RunWorld,
  { remote, sha }: { readonly remote: Remote; readonly sha: string },
): Promise<Result<boolean, Step>> {
  const { branch } = attempt;
  const target = repositoryTarget(repository);
  const head = await remoteHead(context.git, target, { remote: remote.name, branch });
  if (head.isErr()) return err(gitFailed("push", head.error));
  if (head.value === null || head.value === sha) return ok(head.value === sha);
  // It has moved on since.
  const fetched = await context.locks.shared(repository.commonDir, () =>
    fetchBranch(context.git, target, { remote, branch }),
  );
  if (fetched.isErr()) return err(gitFailed("push", fetched.error));
  const part = await isAncestor(context.git, target, { ancestor: sha, of: head.value });
  return part.mapErr((error) => gitFailed("push", error));
}
