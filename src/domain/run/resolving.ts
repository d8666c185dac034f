/** Decides who resolves the conflicts of a merge, and says what a concluded merge took. */

import { someOf } from "../text/listed.ts";
import type { Run } from "./run.ts";

type Past = Pick<Run, "outcome" | "failure">;

/**
 * Whether others' commits still conflict with the attempt's: a run failed of that and nothing was pushed since.
 * Oldest run first.
 */
export function conflictStands(runs: readonly Past[]): boolean {
  const pushed = runs.findLastIndex(({ outcome }) => outcome === "pushed");
  return runs.slice(pushed + 1).some(({ failure }) => failure?.code === "conflict");
}

/** Whether a conflicting merge before this run is left for its agent, instead of being aborted. */
export function resolvesConflicts(run: Pick<Run, "kind" | "options">, earlier: readonly Past[]): boolean {
  return run.kind === "agent" && (run.options.resolve !== undefined || conflictStands(earlier));
}

/** The instruction of a run whose only job is the conflicts. */
export function resolveInstruction(branch: string): string {
  return `Resolve the conflicts with what others pushed to ${branch}`;
}

/** A path that conflicted as a whole, with the content of each side; null if a side had none. */
interface WholeConflict {
  readonly path: string;
  readonly ours: string | null;
  readonly theirs: string | null;
}

/** One sentence on all of them; null if there are none. `taken` answers the merged tree's content at a path. */
export function mergeDecided(
  conflicts: readonly WholeConflict[],
  taken: (path: string) => string | null,
): string | null {
  const groups = new Map<string, string[]>();
  for (const conflict of conflicts) {
    const how = howTaken(conflict, taken(conflict.path));
    groups.set(how, [...(groups.get(how) ?? []), conflict.path]);
  }
  const parts = [...groups].map(([how, paths]) => `${someOf(paths, MAX_NAMED)} ${how}`);
  return parts.length === 0 ? null : `The merge was concluded with ${parts.join("; ")}.`;
}

function howTaken({ ours, theirs }: WholeConflict, sha: string | null): string {
  if (sha === null) return "deleted";
  if (sha === ours) return "as this branch has it";
  return sha === theirs ? "as they have it" : "as it was edited";
}

const MAX_NAMED = 10;
