/** Finds a run's earlier commit that the database does not know, because an older copy of it was put back. */
import { err, ok, type Result } from "neverthrow";
import type { GitError } from "../../../git/process/git-error.ts";
import type { Committed } from "../../../git/refs/commit.ts";
import { readCommit } from "../../../git/refs/read-commit.ts";
import { type RefMoved, updateRef } from "../../../git/refs/refs.ts";
import { readIdentity } from "../../../git/repository/identity.ts";
import { probeSigning } from "../../../git/repository/signing.ts";
import type { GitTarget } from "../../../git/runner/run-git.ts";
import type { Uses } from "../../core/context-parts.ts";
import { readStart } from "../../run-core/record-start.ts";
import type { RunWorld } from "../../run-core/step.ts";
import { repositoryTarget } from "../../run-core/targets.ts";

/**
 * The proof took it for the agent's commit and put the branch back. If it equals what would be committed now, the
 * branch goes to it again. Its tree must be the one that the gate has read. Parents, message and person must be equal,
 * no signature wanted; only the date may differ.
 */
export async function commitMadeBefore(
  context: Uses<"git" | "paths">,
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
  { git }: Uses<"git">,
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
