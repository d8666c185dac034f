/** Finds the run of an attempt that works or waits for a person. */

import { hasEnded } from "@contract/settled.ts";
import type { RunDocument } from "@contract/task-document.ts";

/** Null if none does. A review only reads, and a queued run has not begun. */
export function workingRun(runs: readonly RunDocument[]): RunDocument | null {
  const works = (run: RunDocument) =>
    run.kind !== "review" && !hasEnded(run) && (run.status !== "PENDING" || run.phase === "preparing");
  return runs.findLast(works) ?? null;
}
