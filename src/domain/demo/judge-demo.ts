/** Decides whether a demo holds anything that neither Tazuna nor its demo agents made. */
import { someOf } from "../text/listed.ts";

export interface DemoFacts {
  /** What lies in its folder that Tazuna did not put there. */
  readonly strangers: readonly string[];
  /** Hooks that somebody added, by name. */
  readonly hooks: readonly string[];
  /** Paths in its checkout that no commit holds, ignored ones too. */
  readonly uncommitted: readonly string[];
  /** Commits that no run, no merge and not the demo itself made. */
  readonly commits: readonly string[];
  readonly worktrees: readonly DemoWorktree[];
}

interface DemoWorktree {
  readonly path: string;
  /** Paths that differ from what its last run left. */
  readonly changed: readonly string[];
}

const MAX_NAMED = 3;

/** A sentence for a person; null if nothing in it is a person's. */
export function whatIsAPersons(facts: DemoFacts): string | null {
  const { strangers, hooks, uncommitted, commits } = facts;
  const some = (all: readonly string[]) => someOf(all, MAX_NAMED);
  if (strangers.length > 0) return `Its folder holds something else: ${some(strangers)}.`;
  if (hooks.length > 0) return `It has hooks that Tazuna did not make: ${some(hooks)}.`;
  if (commits.length > 0)
    return `It has commits that Tazuna did not make: ${some(commits.map((sha) => sha.slice(0, 8)))}.`;
  if (uncommitted.length > 0) return `Its checkout holds what is not committed: ${some(uncommitted)}.`;
  for (const { path, changed } of facts.worktrees)
    if (changed.length > 0) return `The worktree ${path} was changed after its last run: ${some(changed)}.`;
  return null;
}
