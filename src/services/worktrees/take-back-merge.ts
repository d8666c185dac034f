/** Takes back a merge of ours that a crash left half done in a worktree. */
import { abortMerge, mergeInProgress } from "../../git/pull.ts";
import { getAttempt } from "../../storage/attempts.ts";
import { getRun } from "../../storage/runs.ts";
import type { ServiceContext } from "../context.ts";
import { keepSnapshot } from "./keep-snapshot.ts";
import { worktreeTarget } from "./targets.ts";

/**
 * For a run whose journal still intends a merge: nothing else went on in its worktree when that was begun. A person may
 * have worked on the conflicts since then, so everything is kept first. Throws where it cannot be taken back.
 */
export async function takeBackMerge(context: ServiceContext, runId: string): Promise<void> {
  const run = await getRun(context.db.reader, runId);
  const attempt = run && (await getAttempt(context.db.reader, run.attemptId));
  if (!attempt || attempt.gitDir === null) return;
  const target = worktreeTarget(attempt);
  const merging = await mergeInProgress(context.git, target);
  if (merging.isErr()) throw new Error(merging.error.message);
  if (!merging.value) return;
  const reason = "merge_interrupted";
  const kept = await keepSnapshot(context, { attemptId: attempt.id, runId, target, reason });
  if (kept.isErr()) throw new Error(kept.error.message);
  const aborted = await abortMerge(context.git, target);
  if (aborted.isErr()) throw new Error(aborted.error.message);
}
