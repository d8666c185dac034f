/** Declares what the services work with: database, git, agents, clock, folders, and what the engine does now. */
import type { Result } from "neverthrow";
import type { Dispatcher } from "../../dispatch/dispatcher.ts";
import type { LookAt } from "../../dispatch/team.ts";
import type { Actor } from "../../domain/actor.ts";
import type { ConfigurationError } from "../../domain/configuration/layers.ts";
import type { Fact } from "../../domain/operation.ts";
import type { Repository } from "../../domain/repository/repository.ts";
import type { KeptClone } from "../../domain/repository/spare-clone.ts";
import type { ObjectKeys } from "../../domain/run/log-place.ts";
import type { TaskSettings } from "../../domain/task/task-settings.ts";
import type { Executor, Probe } from "../../executors/shared/executor.ts";
import type { OpenForge } from "../../forge/open/open-forge.ts";
import type { RepositoryLock } from "../../git/runner/repository-lock.ts";
import type { Git } from "../../git/runner/run-git.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";
import type { Database } from "../../storage/schema/opened-database.ts";
import type { OpenTransaction } from "../../storage/schema/schema.ts";
import type { KeyedLock } from "../../utils/locks/keyed-lock.ts";
import type { WaitingProcess } from "../../utils/programs/detached.ts";
import type { Clock } from "../../utils/time/clock.ts";
import type { LoadedConfiguration } from "../configuration/load-configuration.ts";
import type { Fence } from "../fencing/fence.ts";
import type { DataPaths } from "./data-paths.ts";
import type { KnownTrees } from "./known-trees.ts";
import type { OpenTerminal } from "./open-terminal.ts";

/** The other engines. Nothing happens without any. */
interface TeamLink {
  /** Before a transaction that is outside the turns of writers tells that worker something. */
  meet(worker: string): Promise<void>;
  /** Tells another worker to look at something; in that transaction, if there is one. */
  tell(trx: OpenTransaction | null, worker: string, at: LookAt): Promise<void>;
  /** Lets one engine look soon at what waits on all workers. It never rejects. */
  placeSoon(): Promise<void>;
}

/** What this engine has to do with the depot. */
interface OwnDepot {
  /** Lets this worker in. New at each start; what is stored is its hash. */
  readonly key: string;
  /** Where this engine itself serves the depot; null if it does not. */
  servedAt: string | null;
  /** One copy of an attempt at a time, so that an older one never counts as the newest. */
  readonly turns: KeyedLock;
  /** Files of the attempt may have changed, or a snapshot was taken. Does nothing without a depot. */
  nudge: (attemptId: string, taken?: "snapshot") => void;
}

/** A fact of a working run, as the owner of that epoch of its lease tells it. */
export interface ToldOfRun {
  readonly epoch: number;
  readonly fact: Omit<Fact, "seq" | "at"> & { readonly runId: string };
}

/** What the agents of this engine did last. */
export interface LastActions {
  /** Is stored soon, with what other runs tell meanwhile. */
  tell(told: ToldOfRun): void;
  /** Resolves once what was told of the run is stored. It never rejects. */
  flush(runId: string): Promise<void>;
}

/** A try to clone anew that failed; both times are UTC ISO. */
interface LackingClone {
  readonly began: string;
  readonly until: string;
  /** A sentence. */
  readonly why: string;
}

/** A clone that is made beside what needs it, or that could not be made. */
export interface CloneBeside {
  /** By what needs it: told at its end, with a sentence that says why there is no clone, or null. */
  readonly after: Map<string, (lacks: string | null) => Promise<void>>;
  /** Settles once all of them are told. */
  readonly ended: Promise<void>;
  /** Null while it is made. `until`: by the clock of this engine, in milliseconds. */
  readonly failed: { readonly why: string; readonly until: number } | null;
  /** How often it has failed. */
  readonly fails: number;
  /** Called once it may be tried again. Null if nobody wants to know. */
  again: (() => Promise<void>) | null;
}

export interface ServiceContext {
  readonly db: Database;
  readonly git: Git;
  readonly locks: RepositoryLock;
  readonly knownTrees: KnownTrees;
  /** One clean-up of an attempt at a time. */
  readonly attemptLock: KeyedLock;
  readonly executors: ReadonlyMap<string, Executor>;
  readonly openForge: OpenForge;
  /** The token for this API of a forge, by its address; null if none is known. It is never stored. */
  readonly forgeToken: (apiUrl: string) => Promise<string | null>;
  /** By attempt: who asked last for its pull request, and whose tokens serve as long as this engine lives. */
  readonly forgeLogins: Map<string, (apiUrl: string) => Promise<string | null>>;
  /** Tells that a pull request may have to be looked at earlier. */
  readonly forgeNews: Notifier;
  readonly probe: Probe;
  /** What this machine can confine a program with; tried at the first question. */
  readonly sandbox: () => Promise<Sandbox>;
  readonly paths: DataPaths;
  readonly clock: Clock;
  readonly newId: () => string;
  /** Of this program. */
  readonly programVersion: string;
  /** The address of the Postgres, which invited workers get. Null on an SQLite, and on a worker that was invited itself. */
  readonly postgresAddress: string | null;
  /** Who asks; null if Tazuna acts by itself, such as when it drives a run. */
  readonly actor: Actor | null;
  /** The name of this data folder in leases, operations and attempts; the same at every start. */
  readonly owner: string;
  readonly ownDepot: OwnDepot;
  /** Those of the object storage in which old logs lie; null if this engine's environment has none. */
  readonly objectKeys: ObjectKeys | null;
  /** By run: what this process holds, or is about to take (epoch null). */
  readonly leases: Map<string, { readonly epoch: number | null; readonly lost: AbortController }>;
  /** Until when those runs are surely its own. */
  readonly fence: Fence;
  /** The environment of the shell in which the command was typed, also for the runs that it asked for. Else the engine's own. */
  readonly userEnv: Readonly<Record<string, string>>;
  /** The environments of the shells in which commands were typed. */
  readonly shells: Shells;
  /** The shell whose environment this context uses; null if it is the engine's own environment. */
  readonly shell: Shell | null;
  /**
   * Values of the forge tokens in that environment. They are lent to git calls, and belong in no file and no answer.
   */
  readonly tokens: readonly string[];
  /** Program and first arguments that start our own program again (keeper, demo agent). */
  readonly selfCommand: readonly string[];
  /** Absolute folders from which our own program is loaded. */
  readonly ownFolders: readonly string[];
  readonly timing: Timing;
  /**
   * By run: keepers that wait for their order. If none comes because the run or this engine ends first, they exit by
   * themselves.
   */
  readonly standby: Map<string, WaitingProcess>;
  readonly outputLimits: OutputLimits;
  /** The configuration that holds for a repository. `settings` are those of a task or run and override the others. */
  readonly configuration: (
    repository: Pick<Repository, "path"> | null,
    settings?: TaskSettings,
  ) => Promise<Result<LoadedConfiguration, ConfigurationError>>;
  readonly dispatcher: () => Dispatcher;
  /** The other engines on the same database. */
  readonly team: () => TeamLink;
  /** Aborts when this engine stops. Drivers then release their runs; the agents go on under their keepers. */
  readonly engineStop: AbortSignal;
  /** By run: one entry for each run that this engine drives now. Aborting it asks the run's driver to stop. */
  readonly drivers: Map<string, AbortController>;
  /** Checks that run on a base now, or are about to, by repository, commit and definition. */
  readonly baseChecks: Map<string, Promise<void>>;
  /** Terminals that are open or about to be, by id. */
  readonly terminals: Map<string, OpenTerminal>;
  /** Ids of operations that an earlier engine began, and that this engine could not examine at its start. */
  readonly unexaminedOperations: Set<string>;
  /** Runs whose next state cannot be stored because the disk of the data folder is full. Kept in memory only. */
  readonly diskFullRuns: Set<string>;
  /** By run: why its clone could not be made anew, and when that is tried again. Kept in memory only. */
  readonly lackingClones: Map<string, LackingClone>;
  /** By the key of an address. Kept in memory only. */
  readonly clonesBeside: Map<string, CloneBeside>;
  /** By repository: clones that stayed at the last look for room on the disk; empty if there is room. */
  readonly keptClones: Map<string, KeptClone>;
  /** By attempt: the timer of the next try of a clean-up that failed. */
  readonly cleanUpRetries: Map<string, { readonly tries: number; readonly timer: NodeJS.Timeout }>;
  readonly lastActions: LastActions;
  /** Tells subscribers that there may be new facts. */
  readonly newFacts: Notifier;
  /**
   * Called between an operation and its record, because a crash may happen there. `before:KIND` and `after:KIND` stand
   * around operations of the journal. `move:EVENT` and `moved:EVENT` stand around a run's moves. `create:WHAT` and
   * `created:WHAT` stand around the creation of a task or a run. `request:stop` and `request:cancel` stand between a
   * person's request and the act. There are a few more. Does nothing except in crash tests.
   */
  readonly failpoint: (name: string) => void;
  /** Reports our own faults to the engine's log. */
  readonly reportFault: (what: string, error: unknown) => void;
}

/** The shell in which a command was typed, and what replaces the engine's own for it. */
export interface Shell
  extends Pick<ServiceContext, "userEnv" | "tokens" | "forgeToken" | "probe" | "git" | "reportFault"> {
  readonly id: string;
}

export interface Shells {
  /** Stores a shell's environment. It is dropped if no call uses it for a while and no run needs it. */
  keep(id: string, variables: Readonly<Record<string, string>>): void;
  /** The context that works in that shell's environment; null if the shell is not known. */
  contextOf(engine: ServiceContext, id: string): ServiceContext | null;
  /** Keeps the shell for the run until `release`. */
  bindToRun(shell: Shell | null, runId: string): void;
  release(runId: string): void;
  /** Whether the environment of the shell that asked for the run is known. */
  holdsFor(runId: string): boolean;
  /** The context in which the run is driven: its shell's, else the engine's. */
  contextOfRun(engine: ServiceContext, runId: string): ServiceContext;
}

/** Waiting times, which tests shorten. All in milliseconds. */
export interface Timing {
  /** How long a lease holds without being renewed. */
  readonly leaseMs: number;
  /** Between TERM and KILL when an agent is stopped. */
  readonly graceMs: number;
  /** Least time between two batches of facts about what agents did last. */
  readonly actionFactMs: number;
  /** Waits before another try after a passing fault of a provider: first, second and so on. */
  readonly backoffMs: readonly number[];
  /** Waits between tries of a clean-up that fails: first, second and so on. The last one repeats. */
  readonly cleanUpMs: readonly number[];
  /** How long a question may be open before the process that waits for its answer is stopped. */
  readonly questionMs: number;
  /** How long the removal of a demo waits until its attempts are put away. */
  readonly demoMs: number;
  /** Waits before a notification is sent again: first, second and so on. */
  readonly notifyMs: readonly number[];
  /** How long a terminal stays open while nobody reads it. */
  readonly terminalMs: number;
  /** Between two times at which a server tidies up its depot. */
  readonly depotGcMs: number;
  /** Between two copies of a working attempt's files into the depot. */
  readonly depotMs: number;
  /** Between two times at which a server moves old logs into object storage. */
  readonly logsMovedMs: number;
  /** How long a log stays in the database after its last line, if there is object storage. */
  readonly logsKeptMs: number;
  /** A clone that was used since then stays, however full the disk is. */
  readonly cloneUnusedMs: number;
  /** After how long a run that lacks its clone tries to clone anew. */
  readonly cloneRetryMs: number;
  /** How long a worktree lies in the trash before it is deleted automatically. */
  readonly trashKeepMs: number;
}

/** The most bytes that are kept of an agent's output, over all starts of a run. Tests set it lower. */
export interface OutputLimits {
  /** Of its stdout. */
  readonly outBytes: number;
  /** Of its stderr. */
  readonly errBytes: number;
}

interface Notifier {
  notify(): void;
  /** Whether anybody listens. */
  isHeard(): boolean;
  subscribe(listener: () => void): () => void;
}

/** Calls every subscriber at each `notify`. */
export function createNotifier(): Notifier {
  const listeners = new Set<() => void>();
  return {
    notify: () => {
      for (const listener of listeners) listener();
    },
    isHeard: () => listeners.size > 0,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/**
 * Thrown out of a step because the engine stops. It is neither a failure nor a person's request to stop. The next
 * engine continues the run.
 */
export class EngineStopping extends Error {}
