/** Puts an attempt's worktree back to the files that a run left, after a snapshot of what is there now. */

import { lstat } from "node:fs/promises";
import { err, ok, type Result } from "neverthrow";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import { shellWord } from "../../domain/doctor/found.ts";
import type { Operation } from "../../domain/operation.ts";
import type { Repository } from "../../domain/repository/repository.ts";
import { isEnded } from "../../domain/run/state.ts";
import { operationInProgress } from "../../git/merge-state.ts";
import { readRunTrees } from "../../git/run-trees.ts";
import { getAttempt } from "../../storage/attempts.ts";
import { operationsOfKinds } from "../../storage/find-operations.ts";
import { getRepository } from "../../storage/repositories.ts";
import { getRun, runsOfAttempt } from "../../storage/runs.ts";
import { getTask } from "../../storage/tasks.ts";
import { heldToLimitOf } from "../configuration/git-limit.ts";
import type { ServiceContext } from "../context.ts";
import { notFound, refuse } from "../refusal.ts";
import type { Refusal } from "../services.ts";
import { clearStaleLocks } from "../worktrees/clear-stale-locks.ts";
import { repositoryTarget, worktreeTarget } from "../worktrees/targets.ts";
import { notBegun, replaceFiles } from "./replace-files.ts";

type Answered = Result<Operation, Refusal>;

/** The operation that did it. `begunAt` is the tree that lay there when a restore began that was cut off: undo brings that back. */
export async function restoreRun(
  context: ServiceContext,
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
      return err(
        refuse("conflict", "no_tree", `It is not known what the run ${runId.slice(0, 8)} left.`, {
          remedy: "Restore a run whose agent came to an end: `tazuna show ATTEMPT` lists them.",
          details: { run: runId },
        }),
      );
    return replaceFiles(held, attempt, { tree, run: runId, of: null, begunAt });
  });
}

/** Undoes such a restore: the files are those of before again. Asked again, the same operation. */
export async function undoRestore(context: ServiceContext, operation: Operation): Promise<Answered> {
  const { id, subject, before } = operation;
  return inWorktree(context, subject.id, async (held, { attempt }) => {
    const all = await operationsOfKinds(held.db.reader, ["run_restore"], attempt.id);
    const done = all.findLast((each) => each.before?.of === id && each.status === "done");
    if (done?.undoable === true) return ok(done);
    return replaceFiles(held, attempt, { tree: String(before?.tree), run: null, of: id, begunAt: null });
  });
}

/** Takes away what a git left locked there that was killed together with an engine, over an undo that nobody goes on with. */
export async function freeWorktree(context: ServiceContext, attemptId: string): Promise<void> {
  await inWorktree(context, attemptId, async () => ok(undefined));
}

interface Place {
  readonly attempt: Attempt;
  readonly repository: Repository;
}

/** Where nobody works: no run goes on, and git is in the middle of nothing. */
async function inWorktree<T>(
  engine: ServiceContext,
  attemptId: string,
  act: (context: ServiceContext, place: Place) => Promise<Result<T, Refusal>>,
): Promise<Result<T, Refusal>> {
  return engine.attemptLock.run(attemptId, async () => {
    const { reader } = engine.db;
    const attempt = await getAttempt(reader, attemptId);
    const task = attempt && (await getTask(reader, attempt.taskId));
    const repository = task && (await getRepository(reader, task.repositoryId));
    if (!attempt || !task || !repository) return err(notFound("attempt", attemptId));
    const context = await heldToLimitOf(engine, { repository, settings: task.settings });
    const refusal = await refuseBusy(context, attempt);
    if (refusal !== null) return err(refusal);
    // A git that was killed over an earlier act may have left some, and so may one of this act: a person would meet them.
    await clearStaleLocks({ attempt, repository });
    const done = await act(context, { attempt, repository });
    if (done.isErr()) await clearStaleLocks({ attempt, repository });
    return done;
  });
}

async function refuseBusy(context: ServiceContext, attempt: Attempt): Promise<Refusal | null> {
  const details = { attempt: attempt.id };
  const there = (await lstat(attempt.worktree).catch(() => null))?.isDirectory() === true;
  if (attempt.state !== "open" || attempt.gitDir === null || !there)
    return refuse("conflict", "no_worktree", "The attempt has no worktree now.", {
      remedy:
        "`tazuna trash restore ATTEMPT` brings one back that was cancelled; `tazuna continue` makes a lost one again.",
      details,
    });
  const runs = await runsOfAttempt(context.db.reader, attempt.id);
  if (runs.some((run) => !isEnded(run.status) && !run.held))
    return refuse("conflict", "attempt_busy", "An agent works in the worktree, or is about to.", {
      remedy: "Wait for its end with `tazuna wait`, or stop it, then try again.",
      details,
    });
  const going = await operationInProgress(context.git, worktreeTarget(attempt));
  if (going.isErr()) return notBegun(attempt, going.error.message);
  if (going.value === null) return null;
  return refuse("conflict", "attempt_busy", "Git is in the middle of something in the worktree.", {
    remedy: `End it there first: \`git -C ${shellWord(attempt.worktree)} status\` says what it is.`,
    details,
  });
}
