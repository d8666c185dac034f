/** Describes which processes there are, who started them, and what marks they carry. */

export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  /** The process group; null where the system has none. */
  readonly group: number | null;
  /** The session; null where the system has none or does not tell. */
  readonly session: number | null;
  /** When it started, as the system counts; with the pid it names one process of this boot. */
  readonly startTime: string;
  /** False for a zombie: it is gone but for its exit code. */
  readonly alive: boolean;
}

/** An environment variable that a whole process tree carries, such as `TAZUNA_RUN=id`. */
export interface ProcessMarker {
  readonly name: string;
  readonly value: string;
}

/** STOP freezes a process, so that it can start no others. */
export type StopSignal = "SIGTERM" | "SIGKILL" | "SIGSTOP";

/** All processes as one reading found them. */
export interface ProcessSnapshot {
  find(pid: number): ProcessEntry | undefined;
  childrenOf(pid: number): readonly number[];
  /**
   * Everything that descends from `ours`: by parent, or by a group or session that one of them leads (these keep
   * the number of their leader after it has died). Never this process, nor those that it descends from.
   */
  membersOf(ours: Iterable<number>): readonly ProcessEntry[];
  /** The living ones whose environment holds the marker. */
  carrying(marker: ProcessMarker): Promise<ReadonlySet<number>>;
  /** The living ones that have a variable of this name in their environment, by what it holds. */
  marked(name: string): Promise<MarkCarriers>;
}

/** By the value of a marker: the pids that carry it. */
export type MarkCarriers = ReadonlyMap<string, ReadonlySet<number>>;

/** Processes and what may be done to them. */
export interface ProcessTable extends Omit<ProcessSource, "list" | "carriers"> {
  /** All of them, by a reading that begins after the question; those who ask at the same time share it. */
  look(): Promise<ProcessSnapshot>;
  /** Those of `pids` whose environment (as it was when their program began) holds the marker. */
  carrying(marker: ProcessMarker, pids: readonly number[]): Promise<ReadonlySet<number>>;
}

/** What one operating system tells about processes, and how it stops them. */
export interface ProcessSource {
  list(): Promise<readonly ProcessEntry[]>;
  find(pid: number): Promise<ProcessEntry | null>;
  /** What those of `pids` that have a variable of this name in their environment (as it was when their program began) hold in it. */
  carriers(name: string, pids: readonly number[]): Promise<MarkCarriers>;
  /** Pids given out after `pid` was; null where that cannot be told, or would be no shortcut. */
  startedAfter(pid: number): readonly number[] | null;
  /** A negative number is a whole group, as in kill(2). Processes that are gone or not ours are passed over. */
  signal(pids: readonly number[], signal: StopSignal): Promise<void>;
  bootId(): Promise<string>;
}

/** Runs a system tool and returns its stdout; handed in, so that this room starts no processes by itself. */
export type ToolRunner = (argv: readonly string[]) => Promise<string>;

export function addCarrier(carriers: Map<string, Set<number>>, value: string, pid: number): void {
  const there = carriers.get(value);
  if (there === undefined) carriers.set(value, new Set([pid]));
  else there.add(pid);
}

/** Sends a signal to each pid; one that is gone or not ours is passed over. */
export function signalEach(pids: readonly number[], signal: StopSignal): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // Gone in the meantime, or not ours: whoever asked looks again.
    }
  }
}
