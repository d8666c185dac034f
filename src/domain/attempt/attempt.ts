/** Describes an attempt: one agent's line of work on a task, with one branch, one worktree and one session. */
import type { UsageTotals } from "../agent/events.ts";
import type { PatchStat, Run } from "../run/run.ts";
import { isEnded } from "../run/state.ts";
import { isCommitUndone } from "../undo/undone-commit.ts";

export interface Attempt {
  readonly id: string;
  readonly taskId: string;
  /** Counts from 1 within the task. */
  readonly number: number;
  /** The agent id that was asked for. */
  readonly agent: string;
  readonly executor: string;
  readonly model: string | null;
  readonly branch: string;
  /** True if `--branch` named an existing branch. */
  readonly branchExisted: boolean;
  /** Absolute path; fixed for the attempt's whole life. */
  readonly worktree: string;
  /** Absolute path of the worktree's own git directory, recorded when git made it; null before. */
  readonly gitDir: string | null;
  readonly base: { readonly branch: string | null; readonly sha: string | null };
  /** The name of the base when the attempt began; null before, and for attempts of earlier versions. */
  readonly startedFrom: StartedFrom | null;
  /** The agent's session and its working directory. */
  readonly session: { readonly id: string; readonly cwd: string } | null;
  readonly usageTotals: UsageTotals | null;
  /** What it changed against its base, as its runs or a person left it; null until there is a change. */
  readonly patch: AttemptPatch | null;
  /** `removed` means its worktree is in the trash or gone. */
  readonly state: "open" | "canceled" | "removed";
  /** Why the last try of its clean-up failed; null if none failed, and from a new request until its try ends. */
  readonly cleanUp: CleanUpTrouble | null;
  readonly createdAt: string;
  readonly endedAt: string | null;
}

/** The base as a person knows it, and how the person's checkout differed from it. */
export interface StartedFrom {
  /** Such as `origin/main`, `v1.2` or a commit's id. */
  readonly name: string;
  /** The person's uncommitted changes came along (`--from-worktree`). */
  readonly fromWorktree: boolean;
  /** Commits of the checkout that the base lacks; null if they could not be compared. */
  readonly ahead: number | null;
  /** Commits of the base that the checkout lacks; null if they could not be compared. */
  readonly behind: number | null;
}

/** The two states that its diff compares, each a commit or a tree, and the numbers of that diff. */
export interface AttemptPatch extends PatchStat {
  readonly from: string;
  readonly to: string;
  /** The tip of the branch when they were counted; null if that was not known. */
  readonly tip: string | null;
}

/** The error of a failed clean-up. */
export interface CleanUpTrouble {
  /** What could not be done and why, without a final full stop; it names what was left and its place. */
  readonly why: string;
  readonly triedAt: string;
  /** When the same engine tries again; a later engine tries at its start. */
  readonly againAt: string;
}

/** How to restore a cancelled attempt with an unfinished clean-up, and its cause, as lists and `clean` tell it. */
export function backAfterTrouble({ id, cleanUp }: Pick<Attempt, "id" | "cleanUp">): string | null {
  if (cleanUp === null) return null;
  const short = id.slice(0, 8);
  return `Its clean-up cannot go on: ${cleanUp.why}. Mend that, then \`tazuna cancel ${short}\` tries again. After it, \`tazuna trash restore ${short}\` brings it back.`;
}

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
