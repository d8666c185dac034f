/** Finds the runs of an attempt that have a diff of their own, in order. */
import type { AttemptDocument, RunDocument } from "@contract/task-document.ts";

export function runsWithDiff({ runs }: Pick<AttemptDocument, "runs">): readonly RunDocument[] {
  return runs
    .filter(({ started_at, kind }) => started_at !== null && kind !== "review" && kind !== "publish")
    .toSorted((one, other) => one.number - other.number);
}
