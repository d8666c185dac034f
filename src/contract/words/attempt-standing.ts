/** Sums up the runs of an attempt: its state, its changes, its cost. */
import type { Attempt } from "../../domain/attempt/attempt.ts";
import { changesOf, usageOf, workOf } from "../../domain/attempt/attempt-runs.ts";
import {
  type BranchFacts,
  type RunFacts,
  type Standing,
  standingOf,
} from "../../domain/attempt/attempt-state.ts";
import { isCommitUndone } from "../../domain/undo/undone-commit.ts";
import { settlementOf } from "../settled.ts";
import type { AttemptDocument, RunDocument } from "../task-document.ts";

/** Runs in the order in which they work; the rest is what is known of the attempt without them. */
export function attemptStanding(
  { state: lifecycle, merged }: Pick<Attempt, "state" | "merged">,
  runs: readonly RunDocument[],
  branch?: BranchFacts,
): Standing<RunDocument> {
  const { state, run, commit } = standingOf(lifecycle, runs.map(factsOf), branch, merged);
  return { state, run: run?.document ?? null, commit };
}

/** The run whose words describe the attempt: the one that works, else the one that decided; null if none does. */
export function tellingRun({ state, runs }: Pick<AttemptDocument, "state" | "runs">): RunDocument | null {
  return isOpen({ state }) ? attemptStanding({ state: "open", merged: null }, runs).run : null;
}

/** The runs that work on the attempt, without those that only read it. */
export function workRuns({ runs }: Pick<AttemptDocument, "runs">): readonly RunDocument[] {
  return workOf(runs);
}

/** The run that was asked for last. It may go before others that were asked for earlier. */
export function newestRun(runs: readonly RunDocument[]): RunDocument | undefined {
  return runs.toSorted((one, other) => one.number - other.number).at(-1);
}

/** Whether an attempt was neither cancelled nor cleaned up: its worktree exists, or may be made again. */
export function isOpen({ state }: Pick<AttemptDocument, "state">): boolean {
  return state !== "canceled" && state !== "removed";
}

/** The numbers of its diff; null if they could not be counted. */
export function attemptChanges(...args: Parameters<typeof changesOf>): AttemptDocument["changes"] {
  return changesOf(...args);
}

/** Of all runs together; null if none reported any. */
export function attemptUsage(...args: Parameters<typeof usageOf>): ReturnType<typeof usageOf> {
  return usageOf(...args);
}

function factsOf(document: RunDocument): RunFacts & { readonly document: RunDocument } {
  const { kind, status, phase, outcome, commit, held, notes, created_at, started_at } = document;
  return {
    kind,
    status,
    phase,
    outcome,
    commit,
    held,
    createdAt: created_at,
    undone: isCommitUndone(notes),
    asks: status === "RUNNING" && settlementOf(document) === "person",
    began: started_at !== null,
    document,
  };
}
