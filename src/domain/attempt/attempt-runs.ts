/** Sums up the runs of an attempt: the numbers of its diff, where they left its branch, and their cost. */
import type { Usage } from "../agent/counters.ts";
import { addUsage } from "../agent/usage.ts";
import type { PatchStat, Run } from "../run/run.ts";
import { isEnded } from "../run/state.ts";
import { isCommitUndone } from "../undo/undone-commit.ts";
import type { Attempt } from "./attempt.ts";

/** The numbers of its diff: zeros while no run has left a change, null if the change was not counted. */
export function changesOf(
  { patch, gitDir }: Pick<Attempt, "patch" | "gitDir">,
  runs: readonly Pick<Run, "status" | "kind">[],
): PatchStat | null {
  const { files, additions, deletions } = patch ?? NOTHING;
  const uncounted = patch === null && gitDir !== null && workOf(runs).every(({ status }) => isEnded(status));
  return uncounted ? null : { files, additions, deletions };
}

/**
 * Where its runs, and undos of their commits, left its branch; null if none began. `runs` in the order in
 * which they work.
 */
export function leftAt(all: readonly Pick<Run, "startSha" | "commit" | "notes" | "kind">[]): string | null {
  const runs = workOf(all);
  const last = runs.findLast(({ startSha }) => startSha !== null);
  let at = last?.commit ?? last?.startSha ?? null;
  for (const { commit, startSha, notes } of runs.toReversed())
    if (commit !== null && commit === at && isCommitUndone(notes)) at = startSha;
  return at;
}

/** Of all its work together; null if no run reported any. */
export function usageOf(runs: readonly Pick<Run, "usage" | "kind">[]): Usage | null {
  const usages = workOf(runs)
    .map(({ usage }) => usage)
    .filter((usage) => usage !== null);
  return usages.length === 0 ? null : usages.reduce(addUsage);
}

/** The runs that work on the attempt. A review only reads. */
export function workOf<R extends Pick<Run, "kind">>(runs: readonly R[]): R[] {
  return runs.filter(({ kind }) => kind !== "review");
}

const NOTHING: PatchStat = { files: 0, additions: 0, deletions: 0 };
