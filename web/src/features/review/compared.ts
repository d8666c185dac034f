/** Decides what a review compares: everything since the base, one run, or what came since the person's last review. */
import type { AttemptDocument, RunDocument } from "@contract/task-document.ts";
import { runsWithDiff } from "../attempts/runs-with-diff.ts";
import type { DiffSource } from "../diff/patch/source.ts";

export type Compared =
  | { readonly kind: "base" }
  | { readonly kind: "run"; readonly run: RunDocument }
  | { readonly kind: "since"; readonly run: string };

/**
 * `asked` as the address has it: `base`, or the id of a run in `since`; or a run in `run`. Nothing: since the last
 * review, if a run has ended after it.
 */
export function comparedOf(
  attempt: Pick<AttemptDocument, "runs">,
  of: { readonly since: string | undefined; readonly run: string | undefined; readonly seen: string | null },
): Compared {
  const run = attempt.runs.find(({ id }) => id === of.run);
  if (run !== undefined) return { kind: "run", run };
  if (of.since === "base") return { kind: "base" };
  if (of.since !== undefined) return { kind: "since", run: of.since };
  return of.seen !== null && isNewsAfter(attempt, of.seen)
    ? { kind: "since", run: of.seen }
    : { kind: "base" };
}

/** A run that changed files has ended since that one. */
export function isNewsAfter(attempt: Pick<AttemptDocument, "runs">, seen: string): boolean {
  const number = attempt.runs.find(({ id }) => id === seen)?.number ?? 0;
  return runsWithDiff(attempt).some((run) => run.number > number && run.ended_at !== null);
}

export function sourceOf(attempt: string, compared: Compared): DiffSource {
  if (compared.kind === "run") return { run: compared.run.id };
  return { attempt, since: compared.kind === "since" ? compared.run : null };
}

/** Which sides are those of the attempt's patch, so that comments stand at their lines. */
export function sidesWithComments(
  attempt: Pick<AttemptDocument, "runs">,
  compared: Compared,
): "both" | "new" | "none" {
  if (compared.kind === "base") return "both";
  if (compared.kind === "since") return "new";
  return runsWithDiff(attempt).at(-1)?.id === compared.run.id ? "new" : "none";
}
