/** Explains why a reference cannot be moved back. */
import type { Operation } from "../../domain/operation.ts";
import type { Repository } from "../../domain/repository/repository.ts";
import { isEnded } from "../../domain/run/state.ts";
import { shellWord } from "../../domain/text/shell-word.ts";
import type { RefMove } from "../../domain/undo/ref-move.ts";
import { runsOfAttempt } from "../../storage/tables/runs.ts";
import type { Uses } from "../core/context-parts.ts";
import type { AttemptInRepository } from "../core/find-place.ts";
import { notEnded, type Refusal, refuse, shortId } from "../core/refusal.ts";
import type { RepositoryQueries } from "./repository-queries.ts";

/** The undo of one move of a reference. */
export interface RefUndo extends AttemptInRepository {
  readonly operation: Operation;
  readonly move: RefMove;
}

/** Null if it can be moved back. */
export async function refuseMove(
  context: Uses<"db">,
  undo: RefUndo,
  queries: RepositoryQueries,
): Promise<Refusal | null> {
  const isAttemptBranch = undo.move.ref === `refs/heads/${undo.attempt.branch}`;
  const inUse = isAttemptBranch ? await refuseOwnBranch(context, undo) : null;
  return (
    inUse ??
    (await refusePosition(queries, undo)) ??
    (await refusePushed(queries, undo)) ??
    refuseCheckedOut(queries, undo)
  );
}

/** A merge that a remote has is taken back for all by a commit of its own. */
async function refusePushed(
  queries: RepositoryQueries,
  { operation, move, attempt }: RefUndo,
): Promise<Refusal | null> {
  if (operation.kind !== "merge_attempt" || move.after === null) return null;
  const pushed = await queries.onRemote(move.after);
  if (pushed.isErr()) return unreadable(operation, pushed.error.message);
  if (!pushed.value) return null;
  return refuse("conflict", "already_pushed", "The merge was pushed; others may have it by now.", {
    remedy: `\`tazuna revert ${shortId(attempt.id)}\` makes a commit that takes it back.`,
    details: { operation: operation.id, attempt: attempt.id },
  });
}

/** An attempt's branch belongs to its runs while one goes on, and to its remote once it was pushed. */
async function refuseOwnBranch(
  context: Uses<"db">,
  { operation, move, attempt }: RefUndo,
): Promise<Refusal | null> {
  const details = { operation: operation.id, attempt: attempt.id };
  const runs = await runsOfAttempt(context.db.reader, attempt.id);
  const working = runs.find((run) => !isEnded(run.status) && !run.held);
  if (working !== undefined || attempt.state === "canceled")
    return refuse("conflict", "attempt_busy", "Something still goes on in the attempt.", {
      remedy:
        working === undefined
          ? `Its clean-up goes on: \`tazuna cancel ${shortId(attempt.id)}\` tries at once; then ask again.`
          : notEnded(working.id).remedy,
      details,
    });
  const at = operation.kind === "commit" ? runs.findIndex(({ id }) => id === operation.subject.id) : -1;
  // A later run may have pushed a commit that this one only made.
  const pushed = at !== -1 && runs.slice(at).some(({ outcome }) => outcome === "pushed");
  if (!pushed) return null;
  return refuse("conflict", "already_pushed", "The commit was pushed; others may have it by now.", {
    remedy: `\`tazuna continue ${shortId(attempt.id)} "Take back what the commit ${move.after?.slice(0, 12)} did"\` lets the agent do it; then that is pushed.`,
    details,
  });
}

/** The reference must be at the commit that the operation left. */
async function refusePosition(
  queries: RepositoryQueries,
  { operation, move, repository }: RefUndo,
): Promise<Refusal | null> {
  const { ref, before, after } = move;
  const found = await queries.ref(ref);
  if (found.isErr()) return unreadable(operation, found.error.message);
  const tip = found.value;
  if (tip?.symref !== undefined && tip.symref !== null)
    return refuse("conflict", "ref_moved_on", `${ref} is another name of ${tip.symref} now.`, {
      remedy: `\`${gitIn(repository)} symbolic-ref ${shellWord(ref)}\` shows it; nothing was changed.`,
      details: { operation: operation.id, ref },
    });
  if ((tip?.sha ?? null) === after) return null;
  const wanted = before === null ? "it was not there before" : `it was at ${before} before`;
  return refuse("conflict", "ref_moved_on", `${ref} has moved on since: ${wanted}.`, {
    remedy:
      before === null
        ? `\`${gitIn(repository)} log --max-count=5 ${shellWord(ref)} --\` shows what came after; nothing was changed.`
        : `What was there before has a name again after \`${gitIn(repository)} branch before-${operation.id.slice(0, 8)} ${before}\`.`,
    details: { operation: operation.id, ref, expected: after, current: tip?.sha ?? null },
  });
}

/** Only the attempt's own worktree may have it checked out: other worktrees would no longer match their branch. */
async function refuseCheckedOut(
  queries: RepositoryQueries,
  { operation, move, attempt }: RefUndo,
): Promise<Refusal | null> {
  const listed = await queries.worktrees();
  if (listed.isErr()) return unreadable(operation, listed.error.message);
  const holder = listed.value.find(({ branch }) => `refs/heads/${branch}` === move.ref);
  const ownMove = holder?.path === attempt.worktree && move.before !== null;
  if (holder === undefined || ownMove) return null;
  const how =
    move.before === null
      ? `\`git -C ${shellWord(holder.path)} switch --detach\` leaves the branch there; then ask again`
      : `\`git -C ${shellWord(holder.path)} reset --keep ${move.before}\` does it there`;
  return refuse("conflict", "branch_checked_out", `${move.ref} is checked out at ${holder.path}.`, {
    remedy: `${how}; Tazuna does not move it under your files.`,
    details: { operation: operation.id, ref: move.ref, path: holder.path },
  });
}

function gitIn({ commonDir }: Repository): string {
  return `git -C ${shellWord(commonDir)}`;
}

function unreadable(operation: Operation, message: string): Refusal {
  return refuse("failed", "undo_failed", `The repository cannot be read: ${message}`, {
    remedy: "Nothing was changed. Once git can read it, ask again.",
    details: { operation: operation.id },
  });
}
