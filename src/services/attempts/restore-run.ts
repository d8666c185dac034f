/** Puts an attempt's worktree back to the files that a run left, after a snapshot of what is there now. */

import { err, ok, type Result } from "neverthrow";
import { type Attempt, backAfterTrouble } from "../../domain/attempt/attempt.ts";
import type { Operation } from "../../domain/operation.ts";
import { isEnded } from "../../domain/run/state.ts";
import { shellWord } from "../../domain/text/shell-word.ts";
import { readRunTrees } from "../../git/refs/run-trees.ts";
import { operationInProgress } from "../../git/worktree/merge-state.ts";
import { operationsOfKinds } from "../../storage/queries/find-operations.ts";
import { getRun, runsOfAttempt } from "../../storage/tables/runs.ts";
import { isFolder } from "../../utils/files/is-there.ts";
import type { GitContext, Uses } from "../core/context-parts.ts";
import { type AttemptInRepository, findPlaceHere } from "../core/find-place.ts";
import { notEnded, notFound, type Refusal, refuse, refused, shortId } from "../core/refusal.ts";
import { loadRepositoryGit } from "../core/repository-git.ts";
import { repositoryTarget, worktreeTarget } from "../run-core/targets.ts";
import { clearStaleLocks } from "../worktrees/clear-stale-locks.ts";
import { mendWorktree } from "../worktrees/mend-worktree.ts";
import { notBegun, replaceFiles } from "./replace-files.ts";

type Answered = Result<Operation, Refusal>;

/**
 * Answers with the operation that did it. `begunAt` is the tree that lay there when a restore began that was cut off:
 * undo brings that back.
 */
export async function restoreRun(
  context: GitContext & Uses<"attemptLock" | "paths" | "configuration">,
  runId: string,
  begunAt: string | null = null,
): Promise<Answered> {
  const run = await getRun(context.db.reader, runId);
  if (run === null) return err(notFound("run", runId));
  return inWorktree(context, run.attemptId, async (held, { attempt, repository }) => {
    const trees = await readRunTrees(held.git, repositoryTarget(repository), runId);
    if (trees.isErr()) return err(notBegun(attempt, trees.error.message));
    const tree = trees.value.after;
    if (tree === null)
      return refused("conflict", "no_tree", `It is not known what the run ${runId.slice(0, 8)} left.`, {
        remedy: await anotherRun(held, { attempt, repository }),
        details: { run: runId },
      });
    return replaceFiles(held, attempt, { tree, run: runId, undoes: null, begunAt });
  });
}

/** The latest run with a known tree; else advises to begin anew. */
async function anotherRun(
  context: Uses<"db" | "git">,
  { attempt, repository }: AttemptInRepository,
): Promise<string> {
  const runs = await runsOfAttempt(context.db.reader, attempt.id);
  for (const { id } of runs.toReversed()) {
    const trees = await readRunTrees(context.git, repositoryTarget(repository), id);
    if (trees.isOk() && trees.value.after !== null)
      return `\`tazuna restore ${shortId(id)}\` puts back what an earlier run left.`;
  }
  return `No run of this attempt left anything yet: \`tazuna continue ${shortId(attempt.id)} "Go on"\` lets the agent work.`;
}

/** Undoes such a restore: the files are as they were before it. A repeated call answers with the same operation. */
export async function undoRestore(
  context: GitContext & Uses<"attemptLock" | "paths" | "configuration">,
  operation: Operation,
): Promise<Answered> {
  const { id, subject, before } = operation;
  return inWorktree(context, subject.id, async (held, { attempt }) => {
    const done = await restoreUndoneBy(held, operation);
    if (done !== null) return ok(done);
    return replaceFiles(held, attempt, { tree: String(before?.tree), run: null, undoes: id, begunAt: null });
  });
}

/** The operation that undid a restore already, if it still stands. */
export async function restoreUndoneBy(
  { db }: Uses<"db">,
  { id, subject }: Operation,
): Promise<Operation | null> {
  const all = await operationsOfKinds(db.reader, ["run_restore"], subject.id);
  const done = all.findLast((each) => each.before?.of === id && each.status === "done");
  return done?.undoable === true ? done : null;
}

/**
 * Removes the lock files of a git process that was killed together with an engine during an undo. No engine goes on
 * with that undo.
 */
export async function freeWorktree(
  context: GitContext & Uses<"attemptLock" | "paths" | "configuration">,
  attemptId: string,
): Promise<void> {
  await inWorktree(context, attemptId, async () => ok(undefined));
}

/** Calls it in a worktree at rest: no run goes on, and no git operation is in progress. */
export async function inWorktree<T>(
  engine: GitContext & Uses<"attemptLock" | "paths" | "configuration">,
  attemptId: string,
  act: (context: GitContext, place: AttemptInRepository) => Promise<Result<T, Refusal>>,
): Promise<Result<T, Refusal>> {
  return engine.attemptLock.run(attemptId, async () => {
    const found = await findPlaceHere(engine, attemptId);
    if (found.isErr()) return err(found.error);
    const place = found.value;
    const { attempt } = place;
    const context = await loadRepositoryGit(engine, place);
    const busy = await refuseBusy(context, attempt);
    if (busy !== null) return err(busy);
    const mended = await mendWorktree(context, place);
    if (mended.isErr()) return err(notBegun(attempt, mended.error.message));
    const going = await refuseInProgress(context, attempt);
    if (going !== null) return err(going);
    // A git process that was killed may have left lock files, in an earlier act or in this one. They would block a
    // person.
    await clearStaleLocks(place);
    const done = await act(context, place);
    if (done.isErr()) await clearStaleLocks(place);
    return done;
  });
}

/** From the trash if it was cancelled or cleaned up, else from the branch. */
function howToGetOne(attempt: Attempt): string {
  const id = shortId(attempt.id);
  if (attempt.state === "open") return `\`tazuna continue ${id} "Go on"\` makes it again from the branch.`;
  return backAfterTrouble(attempt) ?? `\`tazuna trash restore ${id}\` brings it back.`;
}

/** Why no files may be put back there now; null if they may. */
export async function refuseBusy(context: Uses<"db">, attempt: Attempt): Promise<Refusal | null> {
  const details = { attempt: attempt.id };
  const isPresent = await isFolder(attempt.worktree);
  if (attempt.state !== "open" || attempt.gitDir === null || !isPresent)
    return refuse("conflict", "no_worktree", "The attempt has no worktree now.", {
      remedy: howToGetOne(attempt),
      details,
    });
  const runs = await runsOfAttempt(context.db.reader, attempt.id);
  const going = runs.find((run) => !isEnded(run.status) && !run.held);
  if (going !== undefined)
    return refuse("conflict", "attempt_busy", "An agent works in the worktree, or is about to.", {
      remedy: notEnded(going.id).remedy,
      details,
    });
  return null;
}

async function refuseInProgress(context: Uses<"git">, attempt: Attempt): Promise<Refusal | null> {
  const going = await operationInProgress(context.git, worktreeTarget(attempt));
  if (going.isErr()) return notBegun(attempt, going.error.message);
  if (going.value === null) return null;
  return refuse("conflict", "attempt_busy", "Git is in the middle of something in the worktree.", {
    remedy: `End it there first, then ask again: \`git -C ${shellWord(attempt.worktree)} status\` says what it is and how it ends.`,
    details: { attempt: attempt.id },
  });
}
