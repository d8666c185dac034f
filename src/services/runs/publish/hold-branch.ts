/** Keeps an attempt's branch at the published commit: what others put there meanwhile is kept and reported. */
import { err, ok, type Result } from "neverthrow";
import type { RunNote } from "../../../domain/run/run.ts";
import type { GitError } from "../../../git/process/git-error.ts";
import { readBranchFile } from "../../../git/process/locate-git-dir.ts";
import { listRefs, type Ref, readHead, updateRef } from "../../../git/refs/refs.ts";
import { resetKeep } from "../../../git/worktree/restore-files.ts";
import { remainsOf } from "../../branches/reattach-worktree.ts";
import { restoreBranch } from "../../branches/restore-branch.ts";
import type { GitContext, Uses } from "../../core/context-parts.ts";
import { journaled } from "../../core/journal.ts";
import { gitFailed, gitFailedAt } from "../../run-core/git-failure.ts";
import { keepSnapshot } from "../../run-core/keep-snapshot.ts";
import { note, type RunWorld, type Step } from "../../run-core/step.ts";
import { repositoryTarget, worktreeTarget } from "../../run-core/targets.ts";

interface Hold {
  readonly sha: string;
  /**
   * `stay`: the gate of the next run reads what lies in the worktree. `go_back`: removes what the commits there
   * brought, unless it was edited.
   */
  readonly files: "stay" | "go_back";
}

/** The note about it; null if the branch never moved, or was only deleted. */
export async function holdBranch(
  context: GitContext,
  world: RunWorld,
  hold: Hold,
): Promise<Result<RunNote | null, Step>> {
  const { sha } = hold;
  // A file with this commit outranks all else that git knows of the branch.
  if (readBranchFile(world.repository.commonDir, world.attempt.branch) === sha) return ok(null);
  const found = await findBranch(context, world);
  if (found.isErr()) return err(gitFailed("push", found.error));
  const tip = found.value;
  if (tip === null) {
    const made = await restoreBranch(context, world, async () => ok(sha));
    return made.map(() => null).mapErr(gitFailedAt("push"));
  }
  if (tip.sha === sha && tip.symref === null) return ok(null);
  return (await putBack(context, world, { ...hold, tip })).mapErr(gitFailedAt("push"));
}

/** Reads git's own list, which shows whether a branch is an alias of one of the user's. */
async function findBranch(context: Uses<"git">, world: RunWorld): Promise<Result<Ref | null, GitError>> {
  const ref = `refs/heads/${world.attempt.branch}`;
  const listed = await listRefs(context.git, repositoryTarget(world.repository), { prefixes: [ref] });
  return listed.map((refs) => refs.find(({ name }) => name === ref) ?? null);
}

async function putBack(
  context: GitContext,
  world: RunWorld,
  { tip, sha, files }: Hold & { readonly tip: Ref },
): Promise<Result<RunNote, { readonly kind: string; readonly message: string }>> {
  const { attempt, run } = world;
  const { branch } = attempt;
  const target = repositoryTarget(world.repository);
  const request = { target, reason: "agent_moved_head", commit: tip.sha };
  const snapshot = await keepSnapshot(context, world, request);
  if (snapshot.isErr()) return err(snapshot.error);
  const details = { branch, branchSha: tip.sha, symref: tip.symref, snapshot: snapshot.value.ref };
  const restored = await journaled(
    context,
    {
      kind: "ref_restored",
      subject: { type: "run", id: run.id },
      before: details,
      // If it only pointed elsewhere and has no commits of its own, there is nothing to bring back.
      undoable: tip.sha !== sha,
    },
    async () => {
      if (files === "go_back" && (await resetFiles(context, world, sha))) return ok(undefined);
      const move = { ref: tip.name, from: tip.sha, to: sha, reason: "tazuna: branch restored" };
      return updateRef(context.git, target, move);
    },
    () => ({ branch, sha }),
  );
  const message = `The branch was moved while it was published; it was put back to ${sha.slice(0, 8)}, what it held is kept.`;
  return restored.map(() => note("agent_commit_undone", message, details));
}

/** Whether the branch went back with its files: only if the worktree exists and is on that branch. */
async function resetFiles({ git }: Uses<"git">, { attempt }: RunWorld, sha: string): Promise<boolean> {
  if ((await remainsOf(attempt)) !== "whole") return false;
  const target = worktreeTarget(attempt);
  const head = await readHead(git, target);
  if (head.isErr() || head.value.branch !== attempt.branch) return false;
  return (await resetKeep(git, target, sha)).isOk();
}
