/** Describes the running processes, their parents, and their markers. */

export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  /** The process group; null if the system has none. */
  readonly group: number | null;
  /** The session; null if the system has none or does not tell. */
  readonly session: number | null;
  /** Its start time in the system's own unit. With the pid it identifies one process of this boot. */
  readonly startTime: string;
  /** False for a zombie: only its exit code is left. */
  readonly alive: boolean;
}

/** An environment variable that a whole process tree carries, such as `TAZUNA_RUN=id`. */
export interface ProcessMarker {
  readonly name: string;
  readonly value: string;
}

/** STOP freezes a process, so it cannot start others. */
type StopSignal = "SIGTERM" | "SIGKILL" | "SIGSTOP";

/** All processes at one moment. */
export interface ProcessSnapshot {
  find(pid: number): ProcessEntry | undefined;
  childrenOf(pid: number): readonly number[];
  /**
   * All descendants of `ours`, found by parent, or by a group or session that one of them leads. A group or session
   * keeps the pid of its leader as its number, even after the leader died. Never this process or its ancestors.
   */
  membersOf(ours: Iterable<number>): readonly ProcessEntry[];
  /** The living processes whose environment holds the marker. */
  withMarker(marker: ProcessMarker): Promise<ReadonlySet<number>>;
  /** The living processes with a variable of this name in their environment, by its value. */
  marked(name: string): Promise<MarkedPids>;
}

/** The pids that carry a marker, by its value. */
export type MarkedPids = ReadonlyMap<string, ReadonlySet<number>>;

/** Processes and the actions on them. */
export interface ProcessTable extends Omit<ProcessSource, "list" | "carriers"> {
  /** All processes, read after the call began. Calls at the same time share one reading. */
  takeSnapshot(): Promise<ProcessSnapshot>;
  /** Those of `pids` whose environment (as it was when their program began) holds the marker. */
  withMarker(marker: ProcessMarker, pids: readonly number[]): Promise<ReadonlySet<number>>;
}

/** What one operating system tells about processes, and how it stops them. */
export interface ProcessSource {
  list(): Promise<readonly ProcessEntry[]>;
  find(pid: number): Promise<ProcessEntry | null>;
  /**
   * Those of `pids` that have a variable of this name, by its value. The environment is that of their program's
   * start.
   */
  carriers(name: string, pids: readonly number[]): Promise<MarkedPids>;
  /** Pids assigned after `pid`; null if that is unknown, or would not be faster. */
  startedAfter(pid: number): readonly number[] | null;
  /** A negative number is a whole group, as in kill(2). Processes that are gone or not ours are skipped. */
  signal(pids: readonly number[], signal: StopSignal): Promise<void>;
  bootId(): Promise<string>;
}

/** Runs a system tool and returns its stdout. It is passed in, so that this folder starts no processes itself. */
export type ToolRunner = (argv: readonly string[]) => Promise<string>;

export function addCarrier(carriers: Map<string, Set<number>>, value: string, pid: number): void {
  const known = carriers.get(value);
  if (known === undefined) carriers.set(value, new Set([pid]));
  else known.add(pid);
}

/** Sends a signal to each pid; a process that is gone or not ours is skipped. */
export function signalEach(pids: readonly number[], signal: StopSignal): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // Gone in the meantime, or not ours: the caller checks again.
    }
  }
}
