/** Describes the answers of the services: tasks with attempts and runs, logs, diffs, agents and settings. */

import type { Actor } from "../../domain/actor.ts";
import type { Attempt, Merged } from "../../domain/attempt/attempt.ts";
import type { BranchFacts } from "../../domain/attempt/attempt-state.ts";
import type { Origin } from "../../domain/attempt/origin.ts";
import type { Overlap } from "../../domain/decision/comparison.ts";
import type { Decision, Evidence } from "../../domain/decision/decision.ts";
import type { Protection } from "../../domain/depot/depot.ts";
import type { GateRow } from "../../domain/gate/gate-rows.ts";
import type { LeftOut } from "../../domain/publish/left-out.ts";
import type { ShipDraft } from "../../domain/pull-request/ship-draft.ts";
import type { Tracked } from "../../domain/pull-request/tracked.ts";
import type { ruleTexts } from "../../domain/question/answer-rule.ts";
import type { Question } from "../../domain/question/question.ts";
import type { PictureType } from "../../domain/read/picture-type.ts";
import type { Repository } from "../../domain/repository/repository.ts";
import type { BaseCheck } from "../../domain/run/base-check.ts";
import type { CheckResult } from "../../domain/run/check.ts";
import type { Run } from "../../domain/run/run.ts";
import type { Waiting } from "../../domain/run/waiting.ts";
import type { Task } from "../../domain/task/task.ts";
import type { LeftWorktree } from "../../domain/worker/left-worktree.ts";
import type { AgentReadiness } from "../../executors/shared/executor.ts";
import type { Refusal } from "./refusal.ts";

/** A run, with what is not in its row of the database. */
export interface RunView extends Run {
  /** Absolute path of the stored patch file; null before the patch was taken, or if nothing changed. */
  readonly patchPath: string | null;
  /** The last thing the agent was seen doing; null before it did anything. */
  readonly lastAction: { readonly at: string; readonly text: string } | null;
  /** When it came into its phase, UTC ISO; null if it has ended, or has not moved yet. */
  readonly phaseSince: string | null;
  /** What the run waits for in the queue; null if it is not queued, or if the queue was not read yet. */
  readonly waitsFor: Waiting | null;
  /** Its place in the queue of its attempt, counted from 1; null if it is not queued. */
  readonly position: number | null;
  /** What it asks a person; null if it asks nothing. `expect` is what an answer names. */
  readonly question:
    | (Question & { readonly expect: string; readonly always: ReturnType<typeof ruleTexts> })
    | null;
  /** Who asked for its end last; absent if nobody did, or if an older program noted it. */
  readonly stoppedBy?: Actor;
  /** The checks that have ended, in the order of the configuration. */
  readonly checks: readonly CheckResult[];
}

export interface AttemptDetail {
  readonly attempt: Attempt;
  /** In the order in which they work: those that began, then the queue. */
  readonly runs: readonly RunView[];
  /** Absent if the branch is gone, or if the runs alone decide the state of the attempt. */
  readonly branch?: BranchFacts;
  /** What was decided about its task; absent if nothing was. */
  readonly decision?: Decision;
  /** Absent if it has none. */
  readonly pullRequest?: Tracked;
  /** The other worker that holds its files; absent if they are here, or nowhere. */
  readonly worker?: { readonly id: string; readonly name: string };
  /** What the depot has of it; absent if there is no depot, or nothing to say. */
  readonly copy?: Pick<Protection, "protectedAt" | "unprotectedSince" | "trouble">;
  /** Workers that came back with edits that it does not have; absent if none did. */
  readonly cameBack?: readonly (LeftWorktree & { readonly name: string })[];
}

export interface TaskDetail {
  readonly task: Task;
  readonly repository: Repository;
  readonly attempts: readonly AttemptDetail[];
  /** The decision that holds; absent if there is none. */
  readonly decision?: Decision;
}

export interface ListPage<T> {
  readonly items: readonly T[];
  /** Null at the end of the list. */
  readonly next: string | null;
}

/** A run with the id of its task; the run itself names its attempt. */
export interface RunWithTask {
  readonly run: RunView;
  readonly taskId: string;
}

/** The task, attempt or run that an id or a unique prefix of one names. */
export interface ResolvedId {
  readonly type: "task" | "attempt" | "run";
  readonly id: string;
  readonly attemptId: string | null;
  readonly taskId: string;
}

interface FileInDiff {
  readonly path: string;
  readonly status: string;
  readonly additions: number | null;
  readonly deletions: number | null;
}

/** Bytes of a binary file before and after; null on a side without it. */
export interface BinarySizes {
  readonly before: number | null;
  readonly after: number | null;
}

export interface DiffView {
  readonly files: readonly (FileInDiff & { readonly sizes: BinarySizes | null })[];
  readonly patch: string;
  /** Present if the patch is not whole: it ends after a line. */
  readonly truncated?: { readonly shown_bytes: number; readonly bytes: number };
}

/** What opening an attempt's pull request would send. */
export interface PullRequestPreview {
  readonly title: string;
  readonly body: string;
  /** Words of people on the forge that would stay as they are there. */
  readonly keeps: { readonly title: boolean; readonly body: boolean };
  readonly base: string | null;
  readonly head: string;
  readonly draft: boolean;
  /** Why none can be opened now; null if one can. */
  readonly refusal: Refusal | null;
  readonly existing: Tracked | null;
  /** Where the existing one stands, in words. */
  readonly merge: string | null;
  /** `sha` is null for a commit that is still to be made. */
  readonly commit: { readonly sha: string | null; readonly message: string } | null;
  /** What a person typed and nothing has used yet. */
  readonly typed: ShipDraft;
}

/** The checks of an attempt. */
export interface AttemptChecks {
  readonly baseSha: string | null;
  readonly items: readonly {
    readonly name: string;
    readonly command: string;
    readonly required: boolean;
    /** Of the newest run that has a result. */
    readonly last: CheckResult | null;
    readonly base: BaseCheck | null;
    /** It runs on the base now, or is about to. */
    readonly running: boolean;
  }[];
}

/** What the publish gate came to, rule by rule and check by check. */
export interface ShownGate {
  /** The last run that came to the gate; null if none did. */
  readonly run: string | null;
  /** What it had staged; null if the gate kept all of it back. */
  readonly tree: string | null;
  readonly rows: readonly GateRow[];
  /** Files that a person leaves out of the commits now. */
  readonly leftOut: readonly LeftOut[];
}

/** What a person has looked at of an attempt. */
export interface ViewedFiles {
  readonly items: readonly { readonly path: string; readonly at: string; readonly changed: boolean }[];
  /** The newest run; null before. */
  readonly seen: { readonly run: string; readonly at: string } | null;
}

export interface MarkedFile {
  readonly path: string;
  readonly viewed: boolean;
  /** Null without a mark. */
  readonly at: string | null;
}

export interface Comparison {
  readonly task: TaskDetail;
  /** By number; by letter if names are hidden. */
  readonly attempts: readonly ComparedAttempt[];
}

export interface ComparedAttempt extends Evidence {
  readonly letter: string;
  readonly chosen: boolean;
  readonly origin: Origin | null;
  /** The files that it touched, the first thousand; null if that is not known. */
  readonly changed: readonly FileInDiff[] | null;
  readonly overlap: readonly Overlap[];
}

/** How an attempt came into its target, now or before. */
export interface MergeAnswer extends Pick<Merged, "target" | "commit" | "by"> {
  /** Absolute path of the repository, for commands that name it. */
  readonly repository: string;
  /** The target against the same branch of the remote, as it was last seen; null if it has none. */
  readonly remote: {
    readonly name: string;
    /** Such as `origin/main`. */
    readonly branch: string;
    readonly ahead: number;
    readonly behind: number;
  } | null;
}

/** What was put into the user's checkout. */
export interface AppliedFiles {
  readonly files: readonly FileInDiff[];
  /** Absolute path of the checkout. */
  readonly path: string;
}

/** Lines of a changed file, without their ends. */
export interface FileLines {
  readonly sha: string;
  readonly lines: readonly string[];
  /** How many lines the file has. */
  readonly total: number;
}

export interface Picture {
  readonly type: PictureType;
  readonly bytes: Uint8Array;
}

/** A page of the files of a diff. */
export interface DiffFiles {
  readonly files: DiffView["files"];
  readonly next: string | null;
}

export interface AgentStatus extends Omit<AgentReadiness, "binary"> {
  readonly id: string;
  readonly executor: string;
}

export interface ConfigValue {
  readonly key: string;
  readonly value: unknown;
  readonly source: string;
}

export interface ListedRepository extends Repository {
  /** Whether `demo` made it. */
  readonly demo: boolean;
  /** It went for room on the disk, and is cloned anew when it is needed. */
  readonly putAway: boolean;
  /** The other worker on whose disk it lies; absent if it is this one's. */
  readonly worker?: { readonly id: string; readonly name: string };
}

/** A repository that was taken out of the list, and what remains of it. */
export interface RemovedRepository {
  readonly repository: Repository;
  /** How many tasks stay in the database. */
  readonly tasks: number;
  /** How many worktrees stay in the trash. */
  readonly trashed: number;
}
