/** Decides what the middle of an attempt compares: one run, what came since the person's look, or everything. */
import type { AttemptDocument, RunDocument } from "@contract/task-document.ts";

export type Side =
  | { readonly kind: "run"; readonly run: RunDocument }
  | { readonly kind: "since"; readonly run: string }
  | { readonly kind: "whole" };

/** `asked` as the address has it: the id of a run, `since`, or nothing. `seen` is the newest run that was looked at. */
export function sideOf(
  attempt: Pick<AttemptDocument, "runs">,
  { asked, seen }: { readonly asked: string | undefined; readonly seen: string | null },
): Side {
  if (asked === "since" && seen !== null) return { kind: "since", run: seen };
  const run = attempt.runs.find(({ id }) => id === asked);
  return run === undefined ? { kind: "whole" } : { kind: "run", run };
}

/** The runs that can have a diff of their own, in order. */
export function runsWithDiff({ runs }: Pick<AttemptDocument, "runs">): readonly RunDocument[] {
  return runs
    .filter(({ started_at, kind }) => started_at !== null && kind !== "review" && kind !== "publish")
    .toSorted((one, other) => one.number - other.number);
}
