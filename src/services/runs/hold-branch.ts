/** Keeps an attempt's branch at the commit that is published: what somebody else put there meanwhile is kept, and told. */
import { err, ok, type Result } from "neverthrow";
import type { RunNote } from "../../domain/run/run.ts";
import type { GitError } from "../../git/git-error.ts";
import { listRefs, type Ref, readHead, updateRef } from "../../git/refs.ts";
import { resetKeep } from "../../git/reset-keep.ts";
import type { ServiceContext } from "../context.ts";
import { journaled } from "../journal.ts";
import { keepSnapshot } from "../worktrees/keep-snapshot.ts";
import { remainsOf } from "../worktrees/reattach-worktree.ts";
import { restoreBranch } from "../worktrees/restore-branch.ts";
import { repositoryTarget, worktreeTarget } from "../worktrees/targets.ts";
import { gitFailed } from "./git-failure.ts";
import { note, type RunWorld, type Step } from "./step.ts";

interface Hold {
  readonly sha: string;
  /** `stay`: what lies in the worktree is read by the gate of the next run. `go_back`: what the commits there brought goes, unless it was edited. */
  readonly files: "stay" | "go_back";
}

/** The note that tells of it; null where it never moved, or was only deleted. */
export async function holdBranch(
  context: ServiceContext,
  world: RunWorld,
  hold: Hold,
): Promise<Result<RunNote | null, Step>> {
  const { sha } = hold;
  const found = await findBranch(context, world);
  if (found.isErr()) return err(gitFailed("push", found.error));
  const now = found.value;
  if (now === null) {
    const made = await restoreBranch(context, world, async () => ok(sha));
    return made.map(() => null).mapErr((error) => gitFailed("push", error));
  }
  if (now.sha === sha && now.symref === null) return ok(null);
  return (await putBack(context, world, { ...hold, now })).mapErr((error) => gitFailed("push", error));
}

/** By git's own list, which tells a branch that is only another name of one of the user's. */
async function findBranch(context: ServiceContext, world: RunWorld): Promise<Result<Ref | null, GitError>> {
  const ref = `refs/heads/${world.attempt.branch}`;
  const listed = await listRefs(context.git, repositoryTarget(world.repository), { prefixes: [ref] });
  return listed.map((refs) => refs.find(({ name }) => name === ref) ?? null);
}

async function putBack(
  context: ServiceContext,
  world: RunWorld,
  { now, sha, files }: Hold & { readonly now: Ref },
): Promise<Result<RunNote, { readonly kind: string; readonly message: string }>> {
  const { attempt, run } = world;
  const { branch } = attempt;
  const target = repositoryTarget(world.repository);
  const wish = { attemptId: attempt.id, runId: run.id, target, reason: "agent_moved_head", commit: now.sha };
  const snapshot = await keepSnapshot(context, wish);
  if (snapshot.isErr()) return err(snapshot.error);
  const details = { branch, branchSha: now.sha, symref: now.symref, snapshot: snapshot.value.ref };
  const restored = await journaled(
    context,
    {
      kind: "ref_restored",
      subject: { type: "run", id: run.id },
      before: details,
      // What was only pointed elsewhere, and has no commits of its own, is nothing to bring back.
      undoable: now.sha !== sha,
    },
    async () => {
      if (files === "go_back" && (await resetFiles(context, world, sha))) return ok(undefined);
      const move = { ref: now.name, from: now.sha, to: sha, reason: "tazuna: branch restored" };
      return updateRef(context.git, target, move);
    },
    () => ({ branch, sha }),
  );
  return restored.map(() =>
    note(
      "agent_commit_undone",
      `The branch was moved while it was published; it was put back to ${sha.slice(0, 8)}, what it held is kept.`,
      details,
    ),
  );
}

/** Whether the branch went back with its files: only where the worktree is there, and on it. */
async function resetFiles({ git }: ServiceContext, { attempt }: RunWorld, sha: string): Promise<boolean> {
  if ((await remainsOf(attempt)) !== "whole") return false;
  const target = worktreeTarget(attempt);
  const head = await readHead(git, target);
  if (head.isErr() || head.value.branch !== attempt.branch) return false;
  return (await resetKeep(git, target, sha)).isOk();
}
