/** Sums up the runs of an attempt: the numbers of its diff, and where they left its branch. */
import type { PatchStat, Run } from "../run/run.ts";
import { isEnded } from "../run/state.ts";
import { isCommitUndone } from "../undo/undone-commit.ts";
import type { Attempt } from "./attempt.ts";

/** The numbers of its diff: zeros while no run has left a change, null if the change was not counted. */
export function changesOf(
  { patch, gitDir }: Pick<Attempt, "patch" | "gitDir">,
  runs: readonly Pick<Run, "status">[],
): PatchStat | null {
  const { files, additions, deletions } = patch ?? NOTHING;
  const uncounted = patch === null && gitDir !== null && runs.every(({ status }) => isEnded(status));
  return uncounted ? null : { files, additions, deletions };
}

/**
 * Where its runs, and undos of their commits, left its branch; null if none began. `runs` by number, the oldest
 * first.
 */
export function leftAt(runs: readonly Pick<Run, "startSha" | "commit" | "notes">[]): string | null {
  const last = runs.findLast(({ startSha }) => startSha !== null);
  let at = last?.commit ?? last?.startSha ?? null;
  for (const { commit, startSha, notes } of runs.toReversed())
    if (commit !== null && commit === at && isCommitUndone(notes)) at = startSha;
  return at;
}

const NOTHING: PatchStat = { files: 0, additions: 0, deletions: 0 };
