/** Writes down a worktree that a crash or a killed git parted from its record: it is made, the database does not know where. */
import { inspectWorktree } from "../../git/worktree-list.ts";
import { getAttempt, updateAttempt } from "../../storage/attempts.ts";
import { getRepository } from "../../storage/repositories.ts";
import { getTask } from "../../storage/tasks.ts";
import { transact } from "../../storage/transact.ts";
import type { ServiceContext } from "../context.ts";
import { wholeWorktree } from "./make-worktree.ts";
import { repositoryTarget } from "./targets.ts";

/**
 * For an attempt whose journal still intends to make a worktree, and for one whose run ends without: it may have been
 * stopped, or have failed, before it looked for one. Where no base was written down nothing was begun. A worktree that is
 * only half made is left to that run, which makes it anew.
 */
export async function recordWorktree(context: ServiceContext, attemptId: string): Promise<void> {
  const { reader } = context.db;
  const attempt = await getAttempt(reader, attemptId);
  const task = attempt && (await getTask(reader, attempt.taskId));
  const repository = task && (await getRepository(reader, task.repositoryId));
  if (!repository || attempt.gitDir !== null || attempt.base.sha === null) return;
  const { worktree: path, branch } = attempt;
  const place = await context.locks.shared(repository.commonDir, () =>
    inspectWorktree(context.git, repositoryTarget(repository), { path, branch }),
  );
  if (place.isErr()) throw new Error(`the worktrees cannot be listed: ${place.error.message}`);
  const whole = wholeWorktree(place.value, branch);
  if (whole === null) return;
  await transact(context.db, (trx) => updateAttempt(trx, { id: attemptId, set: { gitDir: whole.gitDir } }));
}
