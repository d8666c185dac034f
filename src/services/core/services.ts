/** Declares what the doors may ask of Tazuna: every journey that a person or a program can start, as one interface. */
import type { Result } from "neverthrow";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import type { BranchFacts } from "../../domain/attempt/attempt-state.ts";
import type { Finding } from "../../domain/doctor/finding.ts";
import type { Fact, Operation } from "../../domain/operation.ts";
import type { Repository } from "../../domain/repository/repository.ts";
import type { CheckResult } from "../../domain/run/check.ts";
import type { Run } from "../../domain/run/run.ts";
import type { Waiting } from "../../domain/run/waiting.ts";
import type { PublishPolicy, Task } from "../../domain/task/task.ts";
import type { TaskSettings } from "../../domain/task/task-settings.ts";
import type { Cleaned, EmptiedTrash, RemovedRepository, RestoredEntry, TrashEntry } from "./tidy.ts";

/** The calls for which the environment of the caller's shell counts; all others use the engine's own. */
export type ShellServices = Pick<
  Services,
  "createTask" | "followUp" | "retry" | "publish" | "demo" | "agents" | "doctor"
>;

/** Why a request was refused before anything was done; `code` is stable. */
export interface Refusal {
  readonly kind: "bad_request" | "not_found" | "conflict" | "needs_person" | "failed";
  readonly code: string;
  readonly message: string;
  readonly remedy: string;
  readonly details: Readonly<Record<string, unknown>>;
}

export type Answer<T> = Promise<Result<T, Refusal>>;

/**
 * The idempotency key of a creation. A second call with it answers with what the first one created, as it is now. This
 * also holds if the engine died in between. Null creates each time.
 */
export type Once = { readonly key: string } | null;

/** A run with the facts that are not in its row. */
export interface RunView extends Run {
  /** Absolute path of the stored patch file; null before the patch was taken, or if nothing changed. */
  readonly patchPath: string | null;
  /** The last thing the agent was seen doing; null before it did anything. */
  readonly lastAction: { readonly at: string; readonly text: string } | null;
  /** What it waits for in the queue; null if it is not queued, or if the queue was not read yet. */
  readonly waitsFor: Waiting | null;
  /** Those of its declared checks that have ended, in their declared order. */
  readonly checks: readonly CheckResult[];
}

export interface AttemptDetail {
  readonly attempt: Attempt;
  /** By number, the oldest first. */
  readonly runs: readonly RunView[];
  /** Absent if the branch is gone, or if its runs alone decide. */
  readonly branch?: BranchFacts;
}

export interface TaskDetail {
  readonly task: Task;
  readonly repository: Repository;
  readonly attempts: readonly AttemptDetail[];
}

export interface CreateTask {
  /** Id or path of the repository; a path that is new is registered. */
  readonly repository: string;
  readonly title: string | null;
  readonly issue: string;
  readonly context: string | null;
  readonly constraints: string | null;
  readonly base: string | null;
  readonly agents: readonly { readonly id: string; readonly model: string | null }[];
  readonly publish: PublishPolicy | null;
  /** An existing branch to work on (one agent only). */
  readonly branch: string | null;
  /** Start from the user's working tree, uncommitted changes included. */
  readonly fromWorktree: boolean;
  readonly offline: boolean;
  readonly budgetUsd: number | null;
  readonly settings: TaskSettings;
}

export interface FollowUp {
  readonly attempt: string;
  /** Null commits the person's own edits in the worktree, without an agent. */
  readonly instruction: string | null;
  readonly mergeBase: boolean;
  /** The commit message of the person's own edits; null to make one. Only without an instruction. */
  readonly message: string | null;
  /** Conflicts are handed to the agent. Without an instruction, that is its whole task. */
  readonly resolve: boolean;
  readonly settings: TaskSettings;
}

export interface Retry {
  readonly run: string;
  readonly from: "start" | "push";
  /** Works without a fetch, even if the run was to fetch. */
  readonly offline: boolean;
  readonly settings: TaskSettings;
}

export interface Publish {
  readonly attempt: string;
  /** Rule ids of findings, and `check:NAME` of required checks, to allow as the last run showed them. */
  readonly allow: readonly string[];
  /** Null if nothing is allowed. */
  readonly reason: string | null;
  readonly settings: TaskSettings;
}

/** Which tasks a list includes. */
export interface TaskQuery extends PageQuery {
  /** Includes tasks without an open attempt, and the attempts that were cancelled or removed. */
  readonly all: boolean;
  /** Id, name, or absolute path of a folder in it; null: tasks of every repository. */
  readonly repository: string | null;
  /** Only attempts that failed, and the tasks that have one. */
  readonly failed: boolean;
}

/** The start of a page (the `next` of another one, or null) and its maximum number of items. */
export interface PageQuery {
  readonly cursor: string | null;
  readonly limit: number;
}

export interface ListPage<T> {
  readonly items: readonly T[];
  /** Null at the end of the list. */
  readonly next: string | null;
}

/** A run with the id of its task; the run itself names its attempt. */
export interface RunOfTask {
  readonly run: RunView;
  readonly taskId: string;
}

/** The task, attempt or run that an id or a unique prefix means. */
export interface Found {
  readonly type: "task" | "attempt" | "run";
  readonly id: string;
  readonly attemptId: string | null;
  readonly taskId: string;
}

export interface LogQuery {
  /** Returns lines after this number, at most `limit` of them. */
  readonly after: number;
  readonly limit: number;
  /** Begins no earlier than this many lines before the current end; null: at `after`. */
  readonly tail: number | null;
}

export interface LogPage {
  /** One line each; `event` is an agent event, a step of Tazuna's own, or a line of stderr (`{ text }`). */
  readonly lines: readonly LogLine[];
  /** Pass it as `after` to read on: the `n` of the last line, or the given `after`. */
  readonly next: number;
  /** True once the run has ended and nothing will follow. */
  readonly ended: boolean;
}

export interface LogLine {
  /** Strictly increasing within the run, from 1; `after: n` reads what follows this line. */
  readonly n: number;
  readonly at: string | null;
  readonly source: "agent" | "stderr" | "tazuna";
  readonly event: Readonly<Record<string, unknown>>;
}

export interface DiffView {
  readonly files: readonly {
    readonly path: string;
    readonly status: string;
    readonly additions: number | null;
    readonly deletions: number | null;
  }[];
  readonly patch: string;
  /** Present if the patch is not whole: it ends after a line. */
  readonly truncated?: { readonly shown_bytes: number; readonly bytes: number };
}

/** A page of the files of a diff. */
export interface DiffFiles {
  readonly files: DiffView["files"];
  readonly next: string | null;
}

export interface AgentStatus {
  readonly id: string;
  readonly executor: string;
  readonly version: string | null;
  readonly ready: boolean;
  readonly reason: string | null;
}

export interface Script {
  readonly hash: string;
  readonly text: string;
  readonly trusted: boolean;
}

export interface ConfigValue {
  readonly key: string;
  readonly value: unknown;
  readonly source: string;
}

/**
 * If a `repository` is a path, it may be any folder inside the checkout. `agents` and `config` take a path outside any
 * repository as "none"; `scripts`, `trust` and `createTask` refuse it (`bad_request`). Scripts without trust refuse
 * `createTask`, `followUp` and `retry` with `needs_person`, code `scripts_not_trusted`.
 */
export interface Services {
  /** Takes the environment of a caller's shell, under an id that the caller made up; kept in memory only. */
  keepEnvironment(id: string, variables: Readonly<Record<string, string>>): void;
  /** The calls that work in that shell's environment; null if the id is not known. */
  inShell(id: string): ShellServices | null;
  createTask(input: CreateTask, once?: Once): Answer<TaskDetail>;
  /** The run it adds is the attempt's last. */
  followUp(input: FollowUp, once?: Once): Answer<TaskDetail>;
  /**
   * Stops a run. For an attempt, or for every attempt of a task, stops the run that works and holds the queued ones.
   * Answers once the request is saved; the run ends soon after.
   */
  stop(id: string): Answer<TaskDetail>;
  /**
   * Cancels a run, an attempt or every attempt of a task; answers once the request is saved. The attempt is `canceled`
   * at once, and `removed` after its clean-up.
   */
  cancel(id: string): Answer<TaskDetail>;
  /** The run it adds is the attempt's last. */
  retry(input: Retry, once?: Once): Answer<TaskDetail>;
  /** The run it adds is the attempt's last. */
  publish(input: Publish, once?: Once): Answer<TaskDetail>;
  find(idOrPrefix: string): Answer<Found>;
  task(id: string): Answer<TaskDetail>;
  /** Every list is newest first. */
  tasks(query: TaskQuery): Answer<ListPage<TaskDetail>>;
  attempts(query: PageQuery): Answer<ListPage<AttemptDetail>>;
  runs(query: PageQuery): Answer<ListPage<RunOfTask>>;
  log(runId: string, query: LogQuery): Answer<LogPage>;
  /** The diff of everything, or of one file. */
  diff(
    attemptId: string,
    options: { readonly other: string | null; readonly path: string | null },
  ): Answer<DiffView>;
  diffFiles(attemptId: string, query: PageQuery & { readonly other: string | null }): Answer<DiffFiles>;
  /** The whole patch, byte for byte, made while it is read. */
  patch(attemptId: string, options: { readonly other: string | null }): Answer<ReadableStream<Uint8Array>>;
  operations(query: PageQuery & { readonly subject: string | null }): Answer<ListPage<Operation>>;
  /** The newest first. */
  trash(): Answer<readonly TrashEntry[]>;
  /** Restores an entry, by a unique prefix of its id or its attempt's. A repeated call gets the first answer. */
  restoreTrash(id: string): Answer<RestoredEntry>;
  /** Deletes entries that are proven to be ours, not in use and in a snapshot. Without `yes` it only says which. */
  emptyTrash(options: { readonly yes: boolean }): Answer<EmptiedTrash>;
  /**
   * Puts attempts into the trash that are finished and safe. One that may hold work goes only if its id (or its task's)
   * is given, by a unique prefix. Without `yes` it only says what would go.
   */
  clean(options: { readonly id: string | null; readonly yes: boolean }): Answer<Cleaned>;
  /** Puts the files of the run's attempt back to what the run left; answers with the operation. */
  restoreRun(runId: string): Answer<Operation>;
  /** Takes a unique prefix of its id. Answers with the operation that undid it, also if that was done before. */
  undo(operation: string): Answer<Operation>;
  /** `settings` are those of a task that would be created with them. */
  agents(query: {
    readonly repository: string | null;
    readonly settings: TaskSettings;
  }): Answer<readonly AgentStatus[]>;
  /** Examines the machine, the data folder, the agents and every repository, offline; changes nothing. */
  doctor(query: {
    readonly repository: string | null;
    readonly settings: TaskSettings;
  }): Answer<readonly Finding[]>;
  repositories(): Answer<readonly Repository[]>;
  addRepository(path: string): Answer<Repository>;
  moveRepository(id: string, path: string): Answer<Repository>;
  /** Takes a repository out of the list. Refused while an attempt on it is not put away. Deletes nothing. */
  removeRepository(named: string): Answer<RemovedRepository>;
  config(query: {
    readonly repository: string | null;
    readonly settings: TaskSettings;
  }): Answer<readonly ConfigValue[]>;
  scripts(query: { readonly repository: string }): Answer<readonly Script[]>;
  trust(query: {
    readonly repository: string;
    readonly hashes: readonly string[] | "all";
  }): Answer<readonly Script[]>;
  facts(query: { readonly after: number; readonly limit: number }): Answer<readonly Fact[]>;
  /** The number of the latest fact; 0 if there is none. */
  lastFact(): Answer<number>;
  /** Calls `listener` whenever there may be new facts; returns a function that ends the subscription. */
  onFacts(listener: () => void): () => void;
  /** A scratch repository with its own bare remote and two demo attempts. */
  demo(once?: Once): Answer<TaskDetail>;
}
