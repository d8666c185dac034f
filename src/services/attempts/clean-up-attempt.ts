/**
 * Puts a cancelled attempt's worktree into the trash and removes its branch; every step may be repeated (seed 003
 * Clean-up, GitService).
 */

import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { err, ok, type Result } from "neverthrow";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import type { Run } from "../../domain/run/run.ts";
import { isEnded } from "../../domain/run/state.ts";
import { shellWord } from "../../domain/text/shell-word.ts";
import { mayPass } from "../../git/process/local-error.ts";
import { personsLock } from "../../git/worktree/worktree-list.ts";
import { leadsSomewhere, mendPointers } from "../../git/worktree/worktree-pointers.ts";
import { pruneWorktree } from "../../git/worktree/worktree-prune.ts";
import { runMarker } from "../../keeper/files.ts";
import type { WriteTransaction } from "../../storage/schema/schema.ts";
import { getAttempt, updateAttempt } from "../../storage/tables/attempts.ts";
import { runsOfAttempt } from "../../storage/tables/runs.ts";
import { transact } from "../../storage/transact.ts";
import { isThere } from "../../utils/files/is-there.ts";
import { moveEntry } from "../../utils/files/move-entries.ts";
import { openFolder } from "../../utils/files/remove-tree.ts";
import { stopMarked } from "../../utils/programs/process-identity.ts";
import { ensureBranch } from "../branches/ensure-branch.ts";
import { reattachWorktree } from "../branches/reattach-worktree.ts";
import { removeBranch, wasCleaned } from "../branches/remove-branch.ts";
import { attemptChanged } from "../core/attempt-changed.ts";
import type {
  CleanUpContext,
  GitContext,
  JournalContext,
  Uses,
  WorktreeContext,
} from "../core/context-parts.ts";
import { type AttemptInRepository, type AttemptPlace, findPlaceOf } from "../core/find-place.ts";
import { holderOf } from "../core/held-elsewhere.ts";
import { journaled } from "../core/journal.ts";
import { loadRepositoryGit } from "../core/repository-git.ts";
import { keepSnapshot } from "../run-core/keep-snapshot.ts";
import { repositoryTarget } from "../run-core/targets.ts";
import { endTerminals } from "../terminals/end-terminals.ts";
import { clearStaleLocks } from "../worktrees/clear-stale-locks.ts";
import { clearDamage } from "../worktrees/mend-worktree.ts";
import { isSameRepository, repositoryPlace } from "../worktrees/true-cause.ts";
import { moveToTrash, type SnapshotOrWhy } from "./move-to-trash.ts";
import { removeRemoteBranch } from "./remove-remote-branch.ts";

/** Does nothing while a run of the attempt still goes on: the end of that run calls this again. */
export function cleanUpAttempt(context: CleanUpContext, attemptId: string): Promise<void> {
  return context.attemptLock.run(attemptId, () => cleanUp(context, attemptId));
}

async function cleanUp(engine: CleanUpContext, attemptId: string): Promise<void> {
  const { reader } = engine.db;
  const attempt = await getAttempt(reader, attemptId);
  if (attempt?.state !== "canceled") return;
  // Asked again under the lock: nothing may be touched that another data folder holds.
  if ((await holderOf(engine, attemptId)) !== null) return;
  const runs = await runsOfAttempt(reader, attemptId);
  if (runs.some((run) => !isEnded(run.status))) return;
  const place = await findPlaceOf(reader, attempt);
  if (place === null) return;
  const context = await loadRepositoryGit(engine, place);
  for (const run of runs) await stopMarked(runMarker(run.id));
  await endTerminals(engine, attemptId);
  const cleaning = { ...place, runs };
  const there = await isRepositoryThere(context, cleaning);
  if (there) await makeReady(context, cleaning);
  const trashed = await trashWorktree(context, { ...cleaning, there });
  if (trashed.isErr()) throw new Error(trashed.error);
  if (there) await deregister(context, cleaning);
  if (there && (await wasCleaned(context, attempt))) await dropRemoteBranch(context, place);
  await transact(context.db, (trx) => markRemoved(trx, attempt, context.clock.iso()));
  context.newFacts.notify();
}

interface Cleaning extends AttemptInRepository {
  readonly runs: readonly Run[];
}

/** False if it was deleted, or if another repository lies at its place. Then it holds nothing of the attempt. */
async function isRepositoryThere(context: Uses<"git">, cleaning: Cleaning): Promise<boolean> {
  const { path } = cleaning.repository;
  const place = await repositoryPlace(cleaning.repository);
  if (typeof place === "object") throw new Error(`the repository ${path} cannot be opened: ${place.closed}`);
  if (place === "gone") return false;
  const { gitDir } = cleaning.attempt;
  return (gitDir !== null && (await isThere(gitDir))) || isSameRepository(context, cleaning);
}

/** Mends what can be mended. What is lost for good does not stop the move to the trash. */
async function makeReady(context: GitContext & Uses<"paths">, cleaning: Cleaning): Promise<void> {
  const { attempt, repository, runs } = cleaning;
  const lock = attempt.gitDir === null ? null : await personsLock(attempt.gitDir);
  if (lock !== null) throw new Error(lockedWords(attempt.worktree, lock));
  // A git process that was killed in an earlier try, or a restore, may have left lock files.
  await clearStaleLocks({ attempt, repository });
  const { gitDir, worktree: workTree } = attempt;
  if (gitDir === null) return;
  await clearDamage(context, attempt);
  // The snapshot reports a path that leads elsewhere.
  if ((await isThere(workTree)) && (await isThere(gitDir))) await mendPointers({ gitDir, workTree });
  // The branch may have been deleted. If its commits are still known, the snapshot must hold them.
  const branch = await ensureBranch(context, { attempt, repository, run: null, earlier: runs });
  // If the branch's commit cannot be read, the branch is not at its recorded commit.
  if (branch.isErr() && branch.error.kind !== "ref_moved" && mayPass(branch.error))
    throw new Error(`the branch is not known: ${branch.error.message}`);
}

/** A person locked the worktree, so it stays. */
function lockedWords(worktree: string, reason: string): string {
  const why = reason === "" ? "" : ` (${reason})`;
  return `a person locked the worktree${why}; \`git -C ${shellWord(worktree)} worktree unlock .\` lets it go`;
}

/** Takes a snapshot and renames the worktree into the trash. If it is gone already, that counts as done. */
async function trashWorktree(
  context: WorktreeContext,
  cleaning: Cleaning & { readonly there: boolean },
): Promise<Result<void, string>> {
  const { attempt, repository, there } = cleaning;
  const kept = ({ message }: { readonly message: string }) => `the worktree is kept: ${message}`;
  if (!(await isThere(attempt.worktree))) return ok(undefined);
  // A folder without permissions can neither be read nor moved elsewhere.
  await openFolder(attempt.worktree);
  const snapshot = there
    ? await snapshotOf(context, cleaning)
    : ok({ none: `The repository ${repository.path} is not there any more.` });
  if (snapshot.isErr()) return err(kept(snapshot.error));
  const moved = await moveToTrash(context, attempt, snapshot.value).catch((error: Error) => err(error));
  return moved.map(() => undefined).mapErr(kept);
}

/**
 * Takes no snapshot if git never made a worktree there, or does not know it any more. Then the folder is only moved.
 */
async function snapshotOf(
  context: GitContext & Uses<"locks">,
  cleaning: Cleaning,
): Promise<Result<SnapshotOrWhy, { readonly message: string }>> {
  const { attempt } = cleaning;
  if (attempt.gitDir === null) return ok({ none: "Git had made no worktree there." });
  if (!(await isThere(attempt.gitDir))) {
    const known = await reattachWorktree(context, cleaning);
    if (known.isErr()) return orWithout(known.error);
    if (!known.value) return ok({ none: "Git did not know the worktree any more." });
  }
  const snapshot = await keepSnapshot(context, { attempt }, { reason: "cancel" });
  return snapshot.isOk() ? ok({ ref: snapshot.value.ref }) : orWithout(snapshot.error);
}

/**
 * Trying again cannot mend lost objects, so they do not stop the move to the trash. The entry then stays there for
 * good.
 */
function orWithout(error: {
  readonly kind: string;
  readonly message: string;
}): Result<SnapshotOrWhy, { readonly message: string }> {
  return mayPass(error) ? err(error) : ok({ none: `Git could not take one: ${error.message}` });
}

/** Removes the registration. Removes the branch too, unless its commits cannot be kept otherwise. */
async function deregister(context: WorktreeContext, cleaning: Cleaning): Promise<void> {
  const { attempt, repository } = cleaning;
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
  if (pruned.isErr() && mayPass(pruned.error))
    throw new Error(`git keeps the worktree's registration: ${pruned.error.message}`);
  await putRegistrationAside(context, attempt);
  const branch = await removeBranch(context, cleaning);
  if (branch.isOk()) return;
  if (mayPass(branch.error)) throw new Error(`the branch is kept: ${branch.error.message}`);
  context.reportFault(`the branch of attempt ${attempt.id}, which is kept`, new Error(branch.error.message));
}

/** A remote that does not answer is asked again later; one that refuses keeps the branch. */
async function dropRemoteBranch(
  context: WorktreeContext & Uses<"configuration" | "shell">,
  place: AttemptPlace,
): Promise<void> {
  const removed = await removeRemoteBranch(context, place);
  if (removed.isOk()) return;
  const { kind, message } = removed.error;
  if (kind === "remote_unreachable") throw new Error(`the branch on the remote is kept: ${message}`);
  context.reportFault(`the remote branch of attempt ${place.attempt.id}`, new Error(message));
}

/**
 * A registration that git cannot read, and so cannot drop, is kept beside the attempt. If a person has moved the
 * worktree, it stays.
 */
async function putRegistrationAside(
  context: JournalContext & Uses<"paths">,
  { id, gitDir }: Attempt,
): Promise<void> {
  if (gitDir === null || !(await isThere(gitDir)) || (await leadsSomewhere(gitDir))) return;
  const aside = join(context.paths.attempt(id), `registration-${context.newId()}`);
  await journaled(
    context,
    { kind: "git_files_aside", subject: { type: "attempt", id }, before: { path: gitDir, aside } },
    async () => {
      await mkdir(dirname(aside), { recursive: true, mode: 0o700 });
      await moveEntry(gitDir, aside);
      return ok(undefined);
    },
    () => ({ path: aside }),
  );
}

/** In the transaction that makes it true: nothing of the attempt is left to clean up. */
export async function markRemoved(trx: WriteTransaction, attempt: Attempt, at: string): Promise<void> {
  await updateAttempt(trx, { id: attempt.id, set: { state: "removed", cleanUp: null } });
  await attemptChanged(trx, attempt, { at, state: "removed" });
}
