/** Names everything that the journeys are given by `app/`: the hands, the clock, the folders. */
import type { Result } from "neverthrow";
import type { Dispatcher } from "../dispatch/dispatcher.ts";
import type { ConfigurationError } from "../domain/configuration/layers.ts";
import type { TaskSettings } from "../domain/configuration/task-settings.ts";
import type { Repository } from "../domain/repository/repository.ts";
import type { Executor, Probe } from "../executors/executor.ts";
import type { RepositoryLock } from "../git/repository-lock.ts";
import type { Git } from "../git/run-git.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import type { Database } from "../storage/database.ts";
import type { Clock } from "../utils/clock.ts";
import type { WaitingProcess } from "../utils/detached.ts";
import type { KeyedLock } from "../utils/keyed-lock.ts";
import type { LoadedConfiguration } from "./configuration/load-configuration.ts";
import type { DataPaths } from "./data-paths.ts";
import type { KnownTrees } from "./worktrees/known-trees.ts";

export interface ServiceContext {
  readonly db: Database;
  readonly git: Git;
  readonly locks: RepositoryLock;
  readonly knownTrees: KnownTrees;
  /** One clean-up of an attempt at a time. */
  readonly attemptLock: KeyedLock;
  readonly executors: ReadonlyMap<string, Executor>;
  readonly probe: Probe;
  /** What this machine can hold a program to; tried at the first question. */
  readonly sandbox: () => Promise<Sandbox>;
  readonly paths: DataPaths;
  readonly clock: Clock;
  readonly newId: () => string;
  /** This engine's name in leases; new at every start. */
  readonly owner: string;
  /** The environment that the person started the engine with. */
  readonly userEnv: Readonly<Record<string, string>>;
  /** Values of the forge tokens that were in it: they are lent to git calls, and belong in no file and no answer. */
  readonly tokens: readonly string[];
  /** Program and first arguments that start our own program again (keeper, demo agent). */
  readonly selfCommand: readonly string[];
  /** Absolute folders that our own program is read from. */
  readonly ownFolders: readonly string[];
  readonly timing: Timing;
  /** By run: keepers that wait for their order. Where none comes, since the run or this engine ends first, they go by themselves. */
  readonly standby: Map<string, WaitingProcess>;
  readonly outputLimits: OutputLimits;
  /** The configuration that holds for a repository; `settings` are those of a task or run, over all others. */
  readonly configuration: (
    repository: Pick<Repository, "path"> | null,
    settings?: TaskSettings,
  ) => Promise<Result<LoadedConfiguration, ConfigurationError>>;
  readonly dispatcher: () => Dispatcher;
  /** Aborts when this engine stops: drivers let go of their runs, whose agents work on under their keepers. */
  readonly leaving: AbortSignal;
  /** One entry per run that this engine drives now; aborting it asks the run's driver to stop. */
  readonly driving: Map<string, AbortController>;
  /** Ids of acts that were begun before this engine, and that its start could not look at. */
  readonly unended: Set<string>;
  /** By attempt: clean-ups that could not go on, and when they are tried again. */
  readonly cleaning: Map<string, { readonly tries: number; readonly timer: NodeJS.Timeout }>;
  /** Tells readers of facts that there may be new ones. */
  readonly bell: Bell;
  /**
   * Called at every place where a crash could part an act from what is written about it: `before:KIND` and `after:KIND`
   * around acts of the journal, `move:EVENT` and `moved:EVENT` around a run's moves, `create:WHAT` and `created:WHAT`
   * around the creation of a task or a run, `wish:stop` and `wish:cancel` between a person's wish and its carrying out,
   * and a few more. Does nothing but in crash tests.
   */
  readonly failpoint: (name: string) => void;
  /** Faults of ours, for the engine's own log. */
  readonly reportFault: (what: string, error: unknown) => void;
}

/** Times that tests shorten. All in milliseconds. */
export interface Timing {
  /** How long a lease holds without being renewed. */
  readonly leaseMs: number;
  /** Between TERM and KILL when an agent is stopped. */
  readonly graceMs: number;
  /** Least time between two facts about a run's last action. */
  readonly actionFactMs: number;
  /** Waits before a passing fault of a provider is tried again, first, second and so on. */
  readonly backoffMs: readonly number[];
  /** Waits between tries of a clean-up that cannot go on, first, second and so on; the last one again and again. */
  readonly cleanUpMs: readonly number[];
  /** How long a worktree lies in the trash before it is deleted by itself. */
  readonly trashKeepMs: number;
}

/** How much of what an agent prints is kept; tests make it less. */
export interface OutputLimits {
  /** Of its stdout, in all starts of a run together: an agent that prints more is stopped. */
  readonly outBytes: number;
  /** Of its stderr: the oldest lines go then. */
  readonly errBytes: number;
}

export interface Bell {
  ring(): void;
  onRing(listener: () => void): () => void;
}

/** A bell that any number of listeners may hear. */
export function createBell(): Bell {
  const listeners = new Set<() => void>();
  return {
    ring: () => {
      for (const listener of listeners) listener();
    },
    onRing: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
