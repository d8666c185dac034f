/** Decides what the middle of an attempt compares: one run, what came since the person's look, or everything. */
import type { AttemptDocument, RunDocument } from "@contract/task-document.ts";
import { runsWithDiff } from "../attempts/runs-with-diff.ts";
import type { DiffSource } from "../diff/patch/source.ts";

export type Side =
  | { readonly kind: "run"; readonly run: RunDocument }
  | { readonly kind: "since"; readonly run: string }
  | { readonly kind: "whole" };

/**
 * `asked` as the address has it: the id of a run, `since`, `whole`, or nothing: then the run that works, else everything.
 * `seen` is the newest run that was looked at.
 */
export function sideOf(
  attempt: Pick<AttemptDocument, "runs">,
  { asked, seen }: { readonly asked: string | undefined; readonly seen: string | null },
): Side {
  if (asked === "since" && seen !== null) return { kind: "since", run: seen };
  const runs = runsWithDiff(attempt);
  const run =
    asked === undefined
      ? runs.find(({ status }) => status === "RUNNING")
      : runs.find(({ id }) => id === asked);
  return run === undefined ? { kind: "whole" } : { kind: "run", run };
}

export function sourceOf(attempt: string, side: Side): DiffSource {
  if (side.kind === "run") return { run: side.run.id };
  return { attempt, since: side.kind === "since" ? side.run : null };
}
