/** Decides which clones may go when the disk is nearly full, and says why the others stay (ADR 0104). */
import { someOf } from "../text/listed.ts";

/** What is known of a clone that Tazuna made, without a question to its remote. */
export interface CloneFacts {
  /** When it was made, fetched, or began an attempt last. */
  readonly usedAt: string;
  /** Attempts that are not put away. */
  readonly attempts: number;
  /** Runs, and acts of the journal, that go on in it. */
  readonly goingOn: number;
  /** Worktrees of it in the trash. */
  readonly trashed: number;
  /** Folders that work in it: linked worktrees, and other repositories of the list. */
  readonly checkouts: readonly string[];
  /** Processes that have it as their folder. */
  readonly processes: readonly number[];
  /** What lies in its folder, or stands in its settings, and came from no clone. */
  readonly strange: readonly string[];
}

/** Why a clone stays. */
export interface CloneNeed {
  /** A sentence for a person. */
  readonly why: string;
  /** What lets it go; null if only time does. */
  readonly remedy: string | null;
}

/** A clone that stayed although the disk is nearly full. */
export interface KeptClone extends CloneNeed {
  readonly repository: string;
  readonly name: string;
  readonly url: string;
  readonly path: string;
}

/** Null if nothing here needs it. What only it holds is asked after that. */
export function whyNeeded(
  facts: CloneFacts,
  { now, unusedMs }: { readonly now: Date; readonly unusedMs: number },
): CloneNeed | null {
  const { attempts, goingOn, trashed, checkouts, processes, strange } = facts;
  if (attempts > 0)
    return {
      why: `${attempts} of its attempts are not put away.`,
      remedy: "`tazuna clean --yes` puts those away that are done.",
    };
  if (goingOn > 0) return passing("Something goes on in it.");
  if (trashed > 0)
    return {
      why: `${trashed} of its worktrees lie in the trash.`,
      remedy: "`tazuna trash empty --yes` deletes those that may go.",
    };
  if (checkouts.length > 0) return passing(`Others work in it: ${someOf(checkouts, MAX_NAMED)}.`);
  if (processes.length > 0) return passing(`A process (${processes[0]}) works in it.`);
  if (strange.length > 0)
    return {
      why: `It has what no clone has: ${someOf(strange, MAX_NAMED)}.`,
      remedy: "Move it elsewhere if you need it.",
    };
  // A time that cannot be read keeps it, and so does one that is still to come.
  const isUnused = now.getTime() - Date.parse(facts.usedAt) >= unusedMs;
  return isUnused ? null : passing("It was used a short time ago.");
}

const passing = (why: string): CloneNeed => ({ why, remedy: null });

const MAX_NAMED = 5;

/** The one that was used longest ago first. */
export function longestUnusedFirst<C extends Pick<CloneFacts, "usedAt">>(clones: readonly C[]): readonly C[] {
  return [...clones].sort((one, other) => Date.parse(one.usedAt) - Date.parse(other.usedAt));
}
