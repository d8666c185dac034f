/** Describes a run: one turn of work inside an attempt, which carries the state machine of seed 003. */
import type { Usage } from "../agent/events.ts";
import type { TaskSettings } from "../configuration/task-settings.ts";
import type { Allowance } from "../publish/allowance.ts";
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
  /** What a person asked for while it ran; the run's owner acts on it. */
  readonly stopRequest: "stop" | "cancel" | null;
  /** HEAD when the run began. */
  readonly startSha: string | null;
  /** The staged tree, once staging is done. */
  readonly tree: string | null;
  readonly commit: string | null;
  readonly summary: string | null;
  readonly usage: Usage | null;
  readonly patch: PatchStat | null;
  /** What held the agent back; null before it started. */
  readonly isolation: "sandbox" | "guard" | "none" | null;
  /** One sentence: why less held it than was asked for; null where what was asked for held. */
  readonly isolationReason: string | null;
  /** Things a person should know that did not fail the run (files left out, a session begun anew). */
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

/** What was asked of this run beyond its instruction; stored as one JSON column. */
export interface RunOptions {
  /** Merge the newest base into the branch before the agent begins. */
  readonly mergeBase?: boolean;
  /** The first run begins from the user's working tree, its uncommitted changes included. */
  readonly fromWorktree?: boolean;
  /** The ended run that this one tries again. */
  readonly retryOf?: string;
  /** What a person allowed in publishing. */
  readonly allowance?: Allowance;
  /** How often this run was started again after a passing fault of the provider. */
  readonly restarts?: number;
  /** Most that this run may cost, in US dollars. */
  readonly budgetUsd?: number;
  /** What the environment of whoever asked for a later run sets; over the settings of its task. */
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

/** Who may write this run's state, and until when; `epoch` fences every write of an earlier owner. */
export interface Lease {
  readonly owner: string;
  readonly epoch: number;
  /** UTC ISO. */
  readonly until: string;
}
