/** Opens an attempt again that was cleaned up: makes its worktree again from its branch. */

import { err, ok, type Result, safeTry } from "neverthrow";
import { type Attempt, backAfterTrouble } from "../../domain/attempt/attempt.ts";
import { shellWord } from "../../domain/text/shell-word.ts";
import { readRef } from "../../git/refs/refs.ts";
import { fetchBranch } from "../../git/remote/fetch.ts";
import type { WriteTransaction } from "../../storage/schema/schema.ts";
import { updateAttempt } from "../../storage/tables/attempts.ts";
import { runsOfAttempt } from "../../storage/tables/runs.ts";
import { getTask } from "../../storage/tables/tasks.ts";
import { wasCleaned } from "../branches/remove-branch.ts";
import { restoreBranch } from "../branches/restore-branch.ts";
import { ensureClone } from "../clones/ensure-clone.ts";
import { attemptChanged } from "../core/attempt-changed.ts";
import type { Uses, WorktreeContext } from "../core/context-parts.ts";
import { type AttemptInRepository, type AttemptPlace, findPlaceOf } from "../core/find-place.ts";
import { configurationRefusal, notFound, type Refusal, refuse } from "../core/refusal.ts";
import { loadRepositoryGit } from "../core/repository-git.ts";
import { remotesOf } from "../repositories/choose-remote.ts";
import { listAgain } from "../repositories/repository-changed.ts";
import { repositoryTarget } from "../run-core/targets.ts";
import { fromSnapshot } from "../trash/from-snapshot.ts";
import { placeOf, trashedWorktrees } from "../trash/trash-entries.ts";

/** Whether a further run may be added to an attempt that is not open. Call `reopen` in the same transaction. */
export async function refuseReopening(
  context: WorktreeContext & Uses<"configuration" | "team" | "shell">,
  attempt: Attempt,
): Promise<Refusal | null> {
  const id = attempt.id.slice(0, 8);
  const details = { attempt: attempt.id };
  const back = backAfterTrouble(attempt);
  if (attempt.state === "canceled" && back !== null)
    return refuse("conflict", "attempt_canceled", `The attempt ${id} was cancelled, but not put away yet.`, {
      remedy: back,
      details,
    });
  if (attempt.state === "canceled") return putAwayNow(attempt);
  const place = await findPlaceOf(context.db.reader, attempt);
  if (place === null) return notFound("attempt", attempt.id);
  if (!(await wasCleaned(context, attempt)))
    return refuse("conflict", "attempt_canceled", `The attempt ${id} was cancelled.`, {
      remedy: await otherWay(context, place),
      details,
    });
  const cloned = await ensureClone(context, place.repository, { signal: context.engineStop });
  if (cloned.isErr()) return cloned.error;
  const branch = await bringBranch(context, place);
  return branch.isErr() ? branch.error : null;
}

/** Refuses what an attempt cannot get any more: a person just ended it. */
export function putAwayNow(attempt: Pick<Attempt, "id">): Refusal {
  const id = attempt.id.slice(0, 8);
  return refuse("conflict", "attempt_canceled", `The attempt ${id} is just being put into the trash.`, {
    remedy: `Once \`tazuna list --all\` shows it as removed, \`tazuna trash restore ${id}\` brings it back.`,
    details: { attempt: attempt.id },
  });
}

/** `worktree`: its git directory and its data folder, if that is there again. */
export async function reopen(
  context: Uses<"clock">,
  trx: WriteTransaction,
  attempt: Attempt,
  worktree: { readonly gitDir?: string; readonly workerId?: string } = {},
): Promise<void> {
  const at = context.clock.iso();
  await updateAttempt(trx, { id: attempt.id, set: { state: "open", endedAt: null, ...worktree } });
  const task = await getTask(trx, attempt.taskId);
  if (task !== null) await listAgain(trx, { id: task.repositoryId, at });
  await attemptChanged(trx, attempt, { at, state: "open" });
}

/** Takes the local branch as it is; else makes one from the remote's. */
async function bringBranch(
  engine: WorktreeContext & Uses<"configuration">,
  reopening: AttemptPlace,
): Promise<Result<void, Refusal>> {
  const context = await loadRepositoryGit(engine, reopening);
  const made = await restoreBranch(context, reopening, async () => tipOnRemote(context, reopening));
  if (made.isOk()) return ok(undefined);
  const { error } = made;
  if ("remedy" in error) return err(error);
  return err(unreadable(reopening, error.message));
}

async function tipOnRemote(
  context: Uses<"db" | "git" | "locks" | "paths" | "configuration">,
  reopening: AttemptPlace,
): Promise<Result<string, Refusal>> {
  return safeTry(async function* () {
    const { attempt, task, repository } = reopening;
    const { branch } = attempt;
    const configuration = yield* (await context.configuration(repository, task.settings)).mapErr(
      configurationRefusal,
    );
    const { commonDir } = repository;
    const remotes = yield* (await remotesOf(context, { commonDir, configuration })).mapErr((error) =>
      unreadable(reopening, error.message),
    );
    const remote = remotes?.push ?? null;
    const offline = (await runsOfAttempt(context.db.reader, attempt.id)).at(-1)?.offline ?? false;
    if (remote === null || offline) return err(await branchGone(context, reopening));
    const target = repositoryTarget(repository);
    const fetched = await context.locks.shared(commonDir, () =>
      fetchBranch(context.git, target, { remote, branch }),
    );
    if (fetched.isErr() && fetched.error.kind === "remote_branch_missing")
      return err(await branchGone(context, reopening));
    if (fetched.isErr()) return err(unreadable(reopening, fetched.error.message));
    const tip = yield* (
      await readRef(context.git, target, `refs/remotes/${remote.name}/${branch}^{commit}`)
    ).mapErr((error) => unreadable(reopening, error.message));
    return tip === null ? err(await branchGone(context, reopening)) : ok(tip);
  });
}

async function branchGone(context: Uses<"db" | "git" | "paths">, reopening: AttemptPlace): Promise<Refusal> {
  const { attempt } = reopening;
  const id = attempt.id.slice(0, 8);
  const message = `The attempt ${id} was cleaned up, and its branch ${attempt.branch} is neither here nor on the remote.`;
  return refuse("conflict", "attempt_removed", message, {
    remedy: await otherWay(context, reopening),
    details: { attempt: attempt.id, branch: attempt.branch },
  });
}

function unreadable({ attempt, repository }: AttemptPlace, why: string): Refusal {
  const id = attempt.id.slice(0, 8);
  const message = `The branch ${attempt.branch} of the attempt ${id} is not here, and the remote could not be asked: ${why}`;
  return refuse("failed", "branch_unknown", message, {
    remedy: `Ask again once \`git -C ${shellWord(repository.path)} fetch\` works, or bring the attempt back: \`tazuna trash restore ${id}\`.`,
    details: { attempt: attempt.id, branch: attempt.branch },
  });
}

/** Explains how to bring the attempt back, or how to go on without it. */
async function otherWay(
  context: Uses<"db" | "git" | "paths">,
  reopening: AttemptInRepository,
): Promise<string> {
  const { attempt } = reopening;
  const id = attempt.id.slice(0, 8);
  const entry = (await trashedWorktrees(context, attempt.id)).at(-1);
  if (entry !== undefined && (await placeOf(context, entry)) === "there")
    return `\`tazuna trash restore ${id}\` brings it back, then ask again.`;
  return fromSnapshot(context, { ...reopening, entry: entry ?? null });
}
