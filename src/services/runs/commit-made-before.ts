/** Finds the commit that a run had made already where the database does not know of it: an older copy was put back. */
import type { Committed } from "../../git/commit.ts";
import { readIdentity } from "../../git/identity.ts";
import { readCommit } from "../../git/read-commit.ts";
import { updateRef } from "../../git/refs.ts";
import type { GitTarget } from "../../git/run-git.ts";
import { probeSigning } from "../../git/signing.ts";
import type { ServiceContext } from "../context.ts";
import { repositoryTarget } from "../worktrees/targets.ts";
import { readStart } from "./record-start.ts";
import type { RunWorld } from "./step.ts";

/**
 * The proof has taken it for the agent's and put the branch back. Where it is in everything but its date what would be
 * committed now (the tree that the gate has read, parents, message, person, no signature wanted), the branch goes to it again.
 */
export async function commitMadeBefore(
  context: ServiceContext,
  world: RunWorld,
  { target, message }: { readonly target: GitTarget; readonly message: string },
): Promise<Committed | null> {
  const { run, attempt, repository } = world;
  const head = run.notes.findLast(({ code }) => code === "agent_commit_undone")?.details.head;
  const start = await readStart(context, run.id);
  if (typeof head !== "string" || start === null || start.merging !== null) return null;
  const made = (await readCommit(context.git, target, head)).unwrapOr(null);
  if (made === null || made.tree !== run.tree || made.parents.join() !== start.sha) return null;
  if (made.message !== message.replace(/\n+$/, "") || !(await isByUser(context, target, head))) return null;
  const moved = await updateRef(context.git, repositoryTarget(repository), {
    ref: `refs/heads/${attempt.branch}`,
    from: start.sha,
    to: head,
    reason: "tazuna: commit found again",
  });
  return moved.isOk() ? made : null;
}

async function isByUser({ git }: ServiceContext, target: GitTarget, sha: string): Promise<boolean> {
  const identity = await readIdentity(git, target);
  if (identity.isErr()) return false;
  const signing = await probeSigning(git, target, identity.value);
  if (signing.isErr() || signing.value.wanted) return false;
  const { author, committer } = identity.value;
  const shown = await git.run(target, ["log", "-1", "--format=%an%x00%ae%x00%cn%x00%ce", sha, "--"]);
  const wanted = [author.name, author.email, committer.name, committer.email].join("\0");
  return shown.isOk() && shown.value.stdout.trimEnd() === wanted;
}
