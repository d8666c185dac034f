/** Puts a cancelled attempt's worktree into the trash and takes its branch away; every step may be repeated. */
import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { err, ok, type Result } from "neverthrow";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import type { Repository } from "../../domain/repository/repository.ts";
import { isEnded } from "../../domain/run/state.ts";
import { pruneWorktree } from "../../git/worktree-prune.ts";
import { getAttempt, updateAttempt } from "../../storage/attempts.ts";
import { appendFact } from "../../storage/facts.ts";
import { getRepository } from "../../storage/repositories.ts";
import { runsOfAttempt } from "../../storage/runs.ts";
import { getTask } from "../../storage/tasks.ts";
import { transact } from "../../storage/transact.ts";
import { isThere } from "../../utils/is-there.ts";
import { openFolder } from "../../utils/open-folder.ts";
import { stopMarked } from "../../utils/process-identity.ts";
import { heldToLimitOf } from "../configuration/git-limit.ts";
import type { ServiceContext } from "../context.ts";
import { journaled } from "../journal.ts";
import { clearStaleLocks } from "../worktrees/clear-stale-locks.ts";
import { ensureBranch } from "../worktrees/ensure-branch.ts";
import { putModulesAside } from "../worktrees/keep-modules.ts";
import { keepSnapshot } from "../worktrees/keep-snapshot.ts";
import { reattachWorktree } from "../worktrees/reattach-worktree.ts";
import { removeBranch } from "../worktrees/remove-branch.ts";
import { repositoryTarget, worktreeTarget } from "../worktrees/targets.ts";

/** Does nothing while a run of the attempt has not ended: the end of that run calls it again. */
export function cleanUpAttempt(context: ServiceContext, attemptId: string): Promise<void> {
  return context.attemptLock.run(attemptId, () => cleanUp(context, attemptId));
}

async function cleanUp(engine: ServiceContext, attemptId: string): Promise<void> {
  const { reader } = engine.db;
  const attempt = await getAttempt(reader, attemptId);
  if (attempt?.state !== "canceled") return;
  const runs = await runsOfAttempt(reader, attemptId);
  if (runs.some((run) => !isEnded(run.status))) return;
  const task = await getTask(reader, attempt.taskId);
  const repository = task && (await getRepository(reader, task.repositoryId));
  if (!repository) return;
  const context = await heldToLimitOf(engine, { repository, settings: task.settings });
  for (const run of runs) await stopMarked({ name: "TAZUNA_RUN", value: run.id });
  // A git that was killed over an earlier try, or a restore, may have left some.
  await clearStaleLocks({ attempt, repository });
  // Somebody may have deleted the branch: its commits are to be in the snapshot all the same, where they are still known.
  if (attempt.gitDir !== null) {
    const there = await ensureBranch(context, { attempt, repository, run: null, earlier: runs });
    if (there.isErr() && there.error.kind !== "worktree_missing")
      throw new Error(`the branch is not known: ${there.error.message}`);
  }
  const kept = await trashWorktree(context, { attempt, repository });
  if (kept.isErr()) throw new Error(kept.error);
  const branch = await removeBranch(context, { attempt, repository });
  if (branch.isErr()) throw new Error(`the branch is kept: ${branch.error.message}`);
  await markRemoved(context, attempt);
}

interface Of {
  readonly attempt: Attempt;
  readonly repository: Repository;
}

/** Snapshot, rename into the trash, deregister; what is gone already is done. */
async function trashWorktree(context: ServiceContext, of: Of): Promise<Result<void, string>> {
  const { attempt, repository } = of;
  const kept = ({ message }: { readonly message: string }) => `the worktree is kept: ${message}`;
  if (await isThere(attempt.worktree)) {
    // What is closed can neither be looked into nor moved elsewhere.
    await openFolder(attempt.worktree);
    const snapshot = await snapshotOf(context, of);
    if (snapshot.isErr()) return err(kept(snapshot.error));
    const moved = await moveToTrash(context, attempt, snapshot.value).catch((error: Error) => err(error));
    if (moved.isErr()) return err(kept(moved.error));
  }
  const pruned = await context.locks.shared(repository.commonDir, () =>
    journaled(
      context,
      {
        kind: "worktree_prune",
        subject: { type: "attempt", id: attempt.id },
        before: { path: attempt.worktree },
      },
      () => pruneWorktree(context.git, repositoryTarget(repository), attempt.worktree),
      () => null,
    ),
  );
  return pruned.mapErr(({ message }) => `git keeps the worktree's registration: ${message}`);
}

/** Its reference; null where git never made a worktree for the attempt, or knows nothing of it any more: then it is only moved. */
async function snapshotOf(
  context: ServiceContext,
  of: Of,
): Promise<Result<string | null, { readonly message: string }>> {
  const { attempt } = of;
  if (attempt.gitDir === null) return ok(null);
  if (!(await isThere(attempt.gitDir)) && (await isThere(of.repository.commonDir))) {
    const known = await reattachWorktree(context, of);
    if (known.isErr()) return err(known.error);
    if (!known.value) return ok(null);
  }
  const snapshot = await keepSnapshot(context, {
    attemptId: attempt.id,
    runId: null,
    target: worktreeTarget(attempt),
    reason: "cancel",
  });
  return snapshot.map(({ ref }) => ref);
}

/** Where it goes is written down before it goes: a restore, and the next engine, look there. */
async function moveToTrash(
  context: ServiceContext,
  attempt: Attempt,
  snapshot: string | null,
): Promise<Result<string, { readonly message: string }>> {
  await mkdir(context.paths.trash, { recursive: true, mode: 0o700 });
  const first = join(context.paths.trash, attempt.id);
  const trash = (await isThere(first)) ? `${first}-${context.newId().slice(0, 8)}` : first;
  return journaled(
    context,
    {
      kind: "trash",
      subject: { type: "attempt", id: attempt.id },
      before: { path: attempt.worktree, trash, snapshot },
      undoable: true,
    },
    async () => {
      await putModulesAside(context, attempt);
      await rename(attempt.worktree, trash);
      return ok(trash);
    },
    (path) => ({ path }),
  );
}

async function markRemoved(context: ServiceContext, attempt: Attempt): Promise<void> {
  const at = context.clock.iso();
  await transact(context.db, async (trx) => {
    await updateAttempt(trx, { id: attempt.id, set: { state: "removed", cleanUp: null } });
    await appendFact(trx, {
      at,
      kind: "attempt.changed",
      taskId: attempt.taskId,
      attemptId: attempt.id,
      runId: null,
      data: { state: "removed" },
    });
  });
  context.bell.ring();
}
