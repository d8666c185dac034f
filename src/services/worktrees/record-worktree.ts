/** Records a worktree that exists but whose place the database does not know, after a crash or a killed git. */

import { inspectWorktree } from "../../git/worktree/worktree-list.ts";
import { updateAttempt } from "../../storage/tables/attempts.ts";
import { transact } from "../../storage/transact.ts";
import type { Uses } from "../core/context-parts.ts";
import { findPlace } from "../core/find-place.ts";
import { holderOf } from "../core/held-elsewhere.ts";
import { repositoryTarget } from "../run-core/targets.ts";
import { wholeWorktree } from "./make-worktree.ts";

/**
 * For an attempt whose journal still intends to make a worktree, and for one whose run ends without one. That run may
 * have been stopped, or have failed, before it looked. If no base was recorded, nothing was begun. A half-made worktree
 * is left to that run, which makes it anew.
 */
export async function recordWorktree(
  context: Uses<"db" | "owner" | "git" | "locks">,
  attemptId: string,
): Promise<void> {
  const { reader } = context.db;
  const known = await findPlace(reader, attemptId);
  if (known === null) return;
  const { attempt, repository } = known;
  if (attempt.gitDir !== null || attempt.base.sha === null) return;
  if ((await holderOf(context, attemptId)) !== null) return;
  const { worktree: path, branch } = attempt;
  const place = await context.locks.shared(repository.commonDir, () =>
    inspectWorktree(context.git, repositoryTarget(repository), { path, branch }),
  );
  if (place.isErr()) throw new Error(`the worktrees cannot be listed: ${place.error.message}`);
  const whole = wholeWorktree(place.value, branch);
  if (whole === null) return;
  await transact(context.db, (trx) => updateAttempt(trx, { id: attemptId, set: { gitDir: whole.gitDir } }));
}
