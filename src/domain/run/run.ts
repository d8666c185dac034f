/** Describes a run: one turn of work in an attempt; it has the state machine of seed 003. */
import type { Usage } from "../agent/events.ts";
import type { Allowance } from "../publish/allowance.ts";
import type { TaskSettings } from "../task/task-settings.ts";
import type { Failure } from "./failure.ts";
import type { RunKind, RunOutcome, RunPhase, RunStatus } from "./state.ts";

export interface Run {
  readonly id: string;
  readonly attemptId: string;
  /** Counts from 1 within the attempt. */
  readonly number: number;
  readonly kind: RunKind;
  readonly instruction: string;
  readonly status: RunStatus;
  readonly phase: RunPhase | null;
  readonly outcome: RunOutcome | null;
  readonly failure: Failure | null;
  /** A person's request while it ran; the run's owner obeys it. */
  readonly stopRequest: "stop" | "cancel" | null;
  /** HEAD when the run began. */
  readonly startSha: string | null;
  /** The staged tree, once staging is done. */
  readonly tree: string | null;
  readonly commit: string | null;
  readonly summary: string | null;
  readonly usage: Usage | null;
  readonly patch: PatchStat | null;
  /** What confined the agent; null before it started. */
  readonly isolation: "sandbox" | "guard" | "none" | null;
  /** One sentence: why the confinement is weaker than asked for; null if it is not. */
  readonly isolationReason: string | null;
  /** Things a person should know that did not fail the run (files left out, a new session). */
  readonly notes: readonly RunNote[];
  /** Whether the last known base may be used without a fetch. */
  readonly offline: boolean;
  /** A queued follow-up whose predecessor failed or was stopped: it begins only when a person says so. */
  readonly held: boolean;
  readonly options: RunOptions;
  /** UTC ISO; set while the run waits for a rate limit. */
  readonly resumeAt: string | null;
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly agentStartedAt: string | null;
  readonly endedAt: string | null;
  readonly lease: Lease | null;
}

/** Requests to this run beyond its instruction; stored as one JSON column. */
export interface RunOptions {
  /** Merge the newest base into the branch before the agent begins. */
  readonly mergeBase?: boolean;
  /**
   * Conflicts before this run are left for its agent. `only`: there is no other job, and without conflicts no agent
   * begins.
   */
  readonly resolve?: "first" | "only";
  /** The first run begins from the user's working tree, with its uncommitted changes. */
  readonly fromWorktree?: boolean;
  /** The commit message that a person wrote for their own edits. */
  readonly message?: string;
  /** The ended run that this one repeats. */
  readonly retryOf?: string;
  /** What a person allowed for publishing. */
  readonly allowance?: Allowance;
  /** How often this run was restarted after a passing fault of the provider. */
  readonly restarts?: number;
  /** Most that this run may cost, in US dollars. */
  readonly budgetUsd?: number;
  /** The request came from a shell, whose environment is kept in memory only. */
  readonly fromShell?: boolean;
  /** Settings from the caller's environment for a later run; they win over the settings of its task. */
  readonly settings?: TaskSettings;
}

export interface PatchStat {
  readonly files: number;
  readonly additions: number;
  readonly deletions: number;
}

export interface RunNote {
  /** Stable, such as `denied_path`, `foreign_ref_moved`, `agent_commit_undone`, `session_restarted`. */
  readonly code: string;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** The owner that may write this run's state, and until when; `epoch` rejects every write of an earlier owner. */
export interface Lease {
  readonly owner: string;
  readonly epoch: number;
  /** UTC ISO. */
  readonly until: string;
}
