/** Says why a reference cannot be moved back. */
import type { Attempt } from "../../domain/attempt/attempt.ts";
import type { Operation } from "../../domain/operation.ts";
import type { Repository } from "../../domain/repository/repository.ts";
import { isEnded } from "../../domain/run/state.ts";
import type { RefMove } from "../../domain/undo/ref-move.ts";
import { listRefs } from "../../git/refs.ts";
import { listWorktrees } from "../../git/worktree-list.ts";
import { runsOfAttempt } from "../../storage/runs.ts";
import type { ServiceContext } from "../context.ts";
import { refuse } from "../refusal.ts";
import type { Refusal } from "../services.ts";
import { repositoryTarget } from "../worktrees/targets.ts";

interface Of {
  readonly operation: Operation;
  readonly move: RefMove;
  readonly attempt: Attempt;
  readonly repository: Repository;
}

/** Null where nothing speaks against it. */
export async function refuseMove(context: ServiceContext, of: Of): Promise<Refusal | null> {
  const own = of.move.ref === `refs/heads/${of.attempt.branch}`;
  const inUse = own ? await refuseOwnBranch(context, of) : null;
  return inUse ?? (await refusePosition(context, of)) ?? refuseCheckedOut(context, of);
}

/** An attempt's branch belongs to its runs while one goes on, and to its remote once it was pushed. */
async function refuseOwnBranch(context: ServiceContext, { operation, attempt }: Of): Promise<Refusal | null> {
  const details = { operation: operation.id, attempt: attempt.id };
  const runs = await runsOfAttempt(context.db.reader, attempt.id);
  const working = runs.find((run) => !isEnded(run.status) && !run.held);
  if (working !== undefined || attempt.state === "canceled")
    return refuse("conflict", "attempt_busy", "Something still goes on in the attempt.", {
      remedy: "Wait for its end with `tazuna wait`, or stop it, then try again.",
      details,
    });
  const run = operation.kind === "commit" ? runs.find(({ id }) => id === operation.subject.id) : undefined;
  // A later run may have pushed what this one only committed.
  const pushed =
    run !== undefined && runs.some((each) => each.outcome === "pushed" && each.number >= run.number);
  if (!pushed) return null;
  return refuse("conflict", "already_pushed", "The commit was pushed; others may have it by now.", {
    remedy: "Push a commit that takes it back (`git revert`).",
    details,
  });
}

/** It must be where the operation left it. */
async function refusePosition(
  context: ServiceContext,
  { operation, move, repository }: Of,
): Promise<Refusal | null> {
  const { ref, before, after } = move;
  const refs = await listRefs(context.git, repositoryTarget(repository), { prefixes: [ref] });
  if (refs.isErr()) return unreadable(operation, refs.error.message);
  const now = refs.value.find(({ name }) => name === ref) ?? null;
  if (now?.symref !== undefined && now.symref !== null)
    return refuse("conflict", "ref_moved_on", `${ref} is another name of ${now.symref} now.`, {
      remedy: "Look at it yourself: `git symbolic-ref` shows it.",
      details: { operation: operation.id, ref },
    });
  if ((now?.sha ?? null) === after) return null;
  const wanted = before === null ? "it was not there before" : `it was at ${before} before`;
  return refuse("conflict", "ref_moved_on", `${ref} has moved on since: ${wanted}.`, {
    remedy:
      before === null
        ? "Look at it yourself; nothing was changed."
        : `Those commits are there still: \`git branch NAME ${before}\` gives them a name.`,
    details: { operation: operation.id, ref, expected: after, current: now?.sha ?? null },
  });
}

/** Only the attempt's own worktree may have it checked out: moving a branch under anybody's files would confuse them. */
async function refuseCheckedOut(
  context: ServiceContext,
  { operation, move, attempt, repository }: Of,
): Promise<Refusal | null> {
  const listed = await listWorktrees(context.git, repositoryTarget(repository));
  if (listed.isErr()) return unreadable(operation, listed.error.message);
  const there = listed.value.find(({ branch }) => `refs/heads/${branch}` === move.ref);
  const ownMove = there?.path === attempt.worktree && move.before !== null;
  if (there === undefined || ownMove) return null;
  const how =
    move.before === null
      ? "Switch it to another branch there"
      : `There, \`git reset --keep ${move.before}\` does it`;
  return refuse("conflict", "branch_checked_out", `${move.ref} is checked out at ${there.path}.`, {
    remedy: `${how}; Tazuna does not move it under your files.`,
    details: { operation: operation.id, ref: move.ref, path: there.path },
  });
}

function unreadable(operation: Operation, message: string): Refusal {
  return refuse("failed", "undo_failed", `The repository cannot be read: ${message}`, {
    remedy: "See to the cause, then try again.",
    details: { operation: operation.id },
  });
}
