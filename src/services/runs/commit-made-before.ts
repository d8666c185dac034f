/** Finds the commit that a run had made already where the database does not know of it: an older copy was put back. */
import { err, ok, type Result } from "neverthrow";
import type { Committed } from "../../git/commit.ts";
import type { GitError } from "../../git/git-error.ts";
import { readIdentity } from "../../git/identity.ts";
import { readCommit } from "../../git/read-commit.ts";
import { type RefMoved, updateRef } from "../../git/refs.ts";
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
): Promise<Result<Committed | null, GitError | RefMoved>> {
  const { run, attempt, repository } = world;
  const head = run.notes.findLast(({ code }) => code === "agent_commit_undone")?.details.head;
  const start = await readStart(context, run.id);
  if (typeof head !== "string" || start === null || start.merging !== null) return ok(null);
  const read = await readCommit(context.git, target, head);
  if (read.isErr()) return err(read.error);
  const made = read.value;
  if (made === null || made.tree !== run.tree || made.parents.join() !== start.sha) return ok(null);
  if (made.message !== message.replace(/\n+$/, "")) return ok(null);
  const users = await isByUser(context, target, head);
  if (users.isErr()) return err(users.error);
  if (!users.value) return ok(null);
  const moved = await updateRef(context.git, repositoryTarget(repository), {
    ref: `refs/heads/${attempt.branch}`,
    from: start.sha,
    to: head,
    reason: "tazuna: commit found again",
  });
  return moved.map(() => made);
}

async function isByUser(
  { git }: ServiceContext,
  target: GitTarget,
  sha: string,
): Promise<Result<boolean, GitError>> {
  const identity = await readIdentity(git, target);
  if (identity.isErr()) return err(identity.error);
  const signing = await probeSigning(git, target, identity.value);
  if (signing.isErr()) return err(signing.error);
  if (signing.value.wanted) return ok(false);
  const { author, committer } = identity.value;
  const shown = await git.run(target, ["log", "-1", "--format=%an%x00%ae%x00%cn%x00%ce", sha, "--"]);
  const wanted = [author.name, author.email, committer.name, committer.email].join("\0");
  return shown.map(({ stdout }) => stdout.trimEnd() === wanted);
}
