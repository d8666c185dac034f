/** Declares what the doors may ask of Tazuna: every journey that a person or a program can start, as one interface. */
import type { Result } from "neverthrow";
import type { Attempt } from "../domain/attempt/attempt.ts";
import type { TaskSettings } from "../domain/configuration/task-settings.ts";
import type { Finding } from "../domain/doctor/finding.ts";
import type { Fact, Operation } from "../domain/operation.ts";
import type { Repository } from "../domain/repository/repository.ts";
import type { Run } from "../domain/run/run.ts";
import type { Waiting } from "../domain/run/waiting.ts";
import type { PublishPolicy, Task } from "../domain/task/task.ts";

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
 * The idempotency key under which something is created: what was created under it before is answered again, as it is
 * now, also where the engine died in between. Null creates each time.
 */
export type Once = { readonly key: string } | null;

/** A run and what lies beside its row. */
export interface RunView extends Run {
  /** Absolute path of the stored patch file; null before the patch was taken, or where nothing changed. */
  readonly patchPath: string | null;
  /** The last thing the agent was seen doing; null before it did anything. */
  readonly lastAction: { readonly at: string; readonly text: string } | null;
  /** What it waits for in the queue; null where it is not there, or where nobody has looked yet. */
  readonly waitsFor: Waiting | null;
}

export interface AttemptDetail {
  readonly attempt: Attempt;
  /** By number, the oldest first. */
  readonly runs: readonly RunView[];
}

export interface TaskDetail {
  readonly task: Task;
  readonly repository: Repository;
  readonly attempts: readonly AttemptDetail[];
}

export interface CreateTask {
  /** Id or path of the repository; a path is registered when it is new. */
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
  readonly settings: TaskSettings;
}

export interface Retry {
  readonly run: string;
  readonly from: "start" | "push";
  readonly settings: TaskSettings;
}

export interface Publish {
  readonly attempt: string;
  /** Rule ids of findings, and `check:NAME` of required checks, that are allowed as the last run showed them. */
  readonly allow: readonly string[];
  /** Null where nothing is allowed. */
  readonly reason: string | null;
  readonly settings: TaskSettings;
}

/** Where a page of a list begins (the `next` of another one, or null), and how many items it has at most. */
export interface PageQuery {
  readonly cursor: string | null;
  readonly limit: number;
}

export interface ListPage<T> {
  readonly items: readonly T[];
  /** Null at the end of the list. */
  readonly next: string | null;
}

/** A run beside the id of its task; it names its attempt itself. */
export interface RunOfTask {
  readonly run: RunView;
  readonly taskId: string;
}

/** What an id or a unique prefix of one points at. */
export interface Found {
  readonly type: "task" | "attempt" | "run";
  readonly id: string;
  readonly attemptId: string | null;
  readonly taskId: string;
}

export interface LogPage {
  /** One line each; `event` is an agent event, a step of Tazuna's own, or a line of stderr (`{ text }`). */
  readonly lines: readonly LogLine[];
  /** Hand it back as `after` to read on: the `n` of the last line, or the `after` that was asked for. */
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

/** A worktree in the trash. */
export interface TrashEntry {
  /** Of the operation that put it there. */
  readonly id: string;
  readonly attemptId: string;
  /** Where it lies, absolute. */
  readonly path: string;
  /** The reference of the snapshot that was taken just before; null where there is none. */
  readonly snapshot: string | null;
  /** Null where there is too much to count, or where something else lies there. */
  readonly bytes: number | null;
  readonly deletedAt: string;
}

/** What was deleted, or would be, and what stays for which reason. */
export interface EmptiedTrash {
  readonly removed: readonly { readonly id: string; readonly bytes: number }[];
  readonly kept: readonly { readonly id: string; readonly reason: string }[];
}

/** What a clean-up removed, or would, and what it kept. */
export interface Cleaned {
  readonly removed: readonly CleanRemoved[];
  readonly kept: readonly CleanKept[];
}

interface CleanThing {
  /** Of the attempt; of anything else the id under which `doctor` shows it. */
  readonly id: string;
  readonly what: string;
  /** Null where nobody knows. */
  readonly whose: string | null;
  /** Absolute; null where it is no file. */
  readonly path: string | null;
}

export interface CleanRemoved extends CleanThing {
  readonly bytes: number;
  /** Why it may go. */
  readonly why: string;
}

export interface CleanKept extends CleanThing {
  /** Null where that was not counted. */
  readonly bytes: number | null;
  readonly reason: string;
  readonly remedy: string | null;
}

export interface RestoredEntry {
  readonly entry: string;
  /** Of the worktree, absolute. */
  readonly path: string;
}

/**
 * Where a `repository` is a path, it may be any folder inside the checkout. `agents` and `config` take a path that
 * lies in no repository as "none"; `scripts`, `trust` and `createTask` refuse it (`bad_request`).
 * Scripts that nobody trusted yet refuse `createTask`, `followUp` and `retry` with `needs_person`, code `scripts_not_trusted`.
 */
export interface Services {
  createTask(input: CreateTask, once?: Once): Answer<TaskDetail>;
  /** The run it adds is the attempt's last. */
  followUp(input: FollowUp, once?: Once): Answer<TaskDetail>;
  /** Answers once the wish is saved; the run ends soon after. */
  stop(runId: string): Answer<TaskDetail>;
  /** Cancels a run, an attempt or every attempt of a task; answers once the wish is saved. A cancelled attempt is `canceled` at once and `removed` when its clean-up is done. */
  cancel(id: string): Answer<TaskDetail>;
  /** The run it adds is the attempt's last. */
  retry(input: Retry, once?: Once): Answer<TaskDetail>;
  /** The run it adds is the attempt's last. */
  publish(input: Publish, once?: Once): Answer<TaskDetail>;
  find(idOrPrefix: string): Answer<Found>;
  task(id: string): Answer<TaskDetail>;
  /** Every list is newest first. */
  tasks(query: PageQuery & { readonly all: boolean }): Answer<ListPage<TaskDetail>>;
  attempts(query: PageQuery): Answer<ListPage<AttemptDetail>>;
  runs(query: PageQuery): Answer<ListPage<RunOfTask>>;
  log(runId: string, query: { readonly after: number; readonly limit: number }): Answer<LogPage>;
  diff(attemptId: string, options: { readonly other: string | null }): Answer<DiffView>;
  operations(query: PageQuery & { readonly subject: string | null }): Answer<ListPage<Operation>>;
  /** The newest first. */
  trash(): Answer<readonly TrashEntry[]>;
  /** Of an entry or its attempt, by a unique prefix. Answers what is back already as it answered the first time. */
  restoreTrash(id: string): Answer<RestoredEntry>;
  /** Deletes what is proven to be ours, dead and in a snapshot. Without `yes` it only says what that would be. */
  emptyTrash(options: { readonly yes: boolean }): Answer<EmptiedTrash>;
  /**
   * Puts attempts into the trash that are finished and safe; one that may hold work only when its id (or its task's) is
   * given, by a unique prefix. Without `yes` it only says what would go.
   */
  clean(options: { readonly id: string | null; readonly yes: boolean }): Answer<Cleaned>;
  /** Puts the files of the run's attempt back to what the run left; answers the operation that did it. */
  restoreRun(runId: string): Answer<Operation>;
  /** By a unique prefix of its id; answers the operation that undid it, also where that was done before. */
  undo(operation: string): Answer<Operation>;
  agents(query: { readonly repository: string | null }): Answer<readonly AgentStatus[]>;
  /** Looks at the machine, the data folder, the agents and every repository, offline; changes nothing. */
  doctor(query: {
    readonly repository: string | null;
    readonly settings: TaskSettings;
  }): Answer<readonly Finding[]>;
  repositories(): Answer<readonly Repository[]>;
  addRepository(path: string): Answer<Repository>;
  moveRepository(id: string, path: string): Answer<Repository>;
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
  /** The number of the latest fact; 0 where there is none. */
  lastFact(): Answer<number>;
  /** Calls `listener` whenever there may be facts to read; returns what ends the subscription. */
  onFacts(listener: () => void): () => void;
  /** A scratch repository with its own bare remote and two demo attempts. */
  demo(once?: Once): Answer<TaskDetail>;
}
