/** Describes an attempt: one agent's line of work on a task, with one branch, one worktree and one session. */
import type { UsageTotals } from "../agent/events.ts";

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
  /** True where `--branch` named a branch that existed before. */
  readonly branchExisted: boolean;
  /** Absolute path; fixed for the attempt's whole life. */
  readonly worktree: string;
  /** Absolute path of the worktree's own git directory, recorded when git made it; null before. */
  readonly gitDir: string | null;
  readonly base: { readonly branch: string | null; readonly sha: string | null };
  /** The agent's session and the directory it belongs to. */
  readonly session: { readonly id: string; readonly cwd: string } | null;
  readonly usageTotals: UsageTotals | null;
  /** `removed` means its worktree is in the trash or gone. */
  readonly state: "open" | "canceled" | "removed";
  /** Why its clean-up did not end, where the last try failed; null where none did, and from a new wish until its try ends. */
  readonly cleanUp: CleanUpTrouble | null;
  readonly createdAt: string;
  readonly endedAt: string | null;
}

/** What a failed try of a clean-up said. */
export interface CleanUpTrouble {
  /** What could not be done and why, without an end; it names what it left where it was. */
  readonly why: string;
  readonly triedAt: string;
  /** When the same engine tries again; the next engine tries when it starts. */
  readonly againAt: string;
}
