/** Decides the state of an attempt and which commit is its own, from all its runs and its branch. */
import type { Run } from "../run/run.ts";
import { isEnded } from "../run/state.ts";
import type { Attempt, Merged } from "./attempt.ts";
import { workOf } from "./attempt-runs.ts";

/** `canceled` is passed through: the attempt was cancelled and its clean-up has not ended yet. */
export const ATTEMPT_STATES = [
  "working",
  "needs_you",
  "pushed",
  "committed",
  "no_changes",
  "failed",
  "stopped",
  "merged",
  "canceled",
  "removed",
] as const;
type AttemptState = (typeof ATTEMPT_STATES)[number];

type Lifecycle = Attempt["state"];

/** The facts of one run for the decision. */
export interface RunFacts
  extends Pick<Run, "kind" | "status" | "phase" | "outcome" | "commit" | "held" | "createdAt"> {
  /** A person undid its commit, and the branch does not hold it any more. */
  readonly undone: boolean;
  /** It goes on only if a person answers. */
  readonly asks: boolean;
  /** False as long as it only waited in the queue. */
  readonly began: boolean;
}

/** What git reports of the attempt's branch. People commit, amend and push there too. */
export interface BranchFacts {
  /** The commit at its tip. */
  readonly tip: string;
  /** The commits that the attempt began from: none of these is its own. */
  readonly beganAt: readonly (string | null)[];
  /** The commit at which the last run left it. */
  readonly left: string | null;
  /** The remote is known to have the tip. */
  readonly published: boolean;
}

export interface Standing<R> {
  readonly state: AttemptState;
  /** The run that decides, and whose words describe the state; null if none does. */
  readonly run: R | null;
  /** The tip of its branch, if that is a commit of its own. Else the newest commit of its runs that still stands. */
  readonly commit: string | null;
}

/**
 * `all` are its runs in the order in which they work; reviews do not count. `branch` is absent if it is gone, or if git need
 * not be asked. `merged` is what is known of a merge, maybe of an earlier commit.
 */
export function standingOf<R extends RunFacts>(
  lifecycle: Lifecycle,
  all: readonly R[],
  branch?: BranchFacts,
  merged: Merged | null = null,
): Standing<R> {
  const runs = workOf(all);
  const commit = runs.findLast((run) => run.commit !== null && !run.undone)?.commit ?? null;
  if (lifecycle !== "open") return { state: lifecycle, run: null, commit };
  const going = goingOn(runs);
  if (going !== null) return { state: going.asks ? "needs_you" : "working", run: going, commit };
  const ended = { ...endedStanding(runs), commit };
  const told = branch === undefined ? ended : atBranch(ended, branch);
  if (merged === null || hasMovedOn(told, { runs, branch, merged })) return told;
  return { ...told, state: "merged", commit: merged.tip };
}

/** Whether there is something newer than the merge: a commit, or a later run that needs a person. */
function hasMovedOn<R extends RunFacts>(
  { state, run }: Standing<R>,
  {
    runs,
    branch,
    merged,
  }: { readonly runs: readonly R[]; readonly branch: BranchFacts | undefined; readonly merged: Merged },
): boolean {
  const isLater = ({ createdAt }: RunFacts) => createdAt > merged.at;
  if (run !== null && isLater(run) && NEEDS_A_PERSON.has(state)) return true;
  if (branch !== undefined) return branch.tip !== merged.tip && branch.tip !== merged.commit;
  return runs.some((each) => isLater(each) && each.commit !== null && !each.undone);
}

const NEEDS_A_PERSON: ReadonlySet<AttemptState> = new Set(["failed", "stopped", "needs_you"]);

/**
 * The same if the branch is not at the commit of its runs. A failed or stopped run is still reported. So is an undone
 * commit, unless the branch was moved since.
 */
function atBranch<R>(ended: Standing<R>, { tip, beganAt, left, published }: BranchFacts): Standing<R> {
  const isOwn = tip === ended.commit || !beganAt.includes(tip);
  const at = { ...ended, commit: isOwn ? tip : null };
  const isUndone = ended.state === "needs_you" && tip === left;
  if (ended.state === "failed" || ended.state === "stopped" || isUndone) return at;
  if (!isOwn) return ended.state === "committed" ? { ...at, state: "no_changes" } : at;
  const isPushed = published || (ended.state === "pushed" && tip === ended.commit);
  return { ...at, state: isPushed ? "pushed" : "committed" };
}

/** The run that works, else the next of the queue; held ones wait for a person to begin them. */
function goingOn<R extends RunFacts>(runs: readonly R[]): R | null {
  const going = runs.filter((run) => !isEnded(run.status) && (!run.held || run.phase !== "queued"));
  return going.find((run) => run.phase !== "queued") ?? going[0] ?? null;
}

/**
 * The state after all ended runs. A run that changed nothing leaves the attempt's state, but clears a failure that
 * left no commit. A run that was stopped in the queue does not count.
 */
function endedStanding<R extends RunFacts>(runs: readonly R[]): Pick<Standing<R>, "state" | "run"> {
  const ended = runs.filter((run) => isEnded(run.status)).toReversed();
  const begun = ended.filter((run) => run.status !== "CANCELED" || run.began);
  const unchanged = begun.findIndex((run) => run.outcome !== "no_changes");
  const idle = unchanged === -1 ? begun : begun.slice(0, unchanged);
  const rest = begun.slice(idle.length);
  const deciding = idle.length === 0 ? rest[0] : rest.find((run) => leftSomething(run));
  if (deciding !== undefined) return { state: stateOfEnded(deciding), run: deciding };
  if (idle[0] !== undefined) return { state: "no_changes", run: idle[0] };
  const stopped = ended[0];
  if (stopped !== undefined) return { state: "stopped", run: stopped };
  return { state: "needs_you", run: runs.find((run) => run.held) ?? null };
}

/** Whether an ended run still counts after a later one that found nothing to change. */
function leftSomething({ status, outcome, commit }: RunFacts): boolean {
  return status === "SUCCEEDED" ? outcome !== "no_changes" : commit !== null;
}

function stateOfEnded({ status, outcome, undone }: RunFacts): AttemptState {
  if (undone) return "needs_you";
  if (status === "FAILED") return "failed";
  if (status === "CANCELED") return "stopped";
  return outcome ?? "no_changes";
}
