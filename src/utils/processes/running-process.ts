/** Manages one started program: notices its end, stops its tree, and leaves nothing behind. */
import type { ProcessMarker, ProcessTable } from "../process-tables/process-table.ts";
import { MAX_TIMER_MS, settlesWithin, sleep } from "../time/waiting.ts";
import type { Child, ChunkReader, ProcessEnd } from "./child.ts";
import { type Orphans, type StoppedProcesses, stopTree, type Tree } from "./kill-tree.ts";
import { isOwnChild, rememberChild } from "./own-children.ts";
import { readPipes } from "./read-pipes.ts";

export type { ProcessEnd } from "./child.ts";
export type { Orphans } from "./kill-tree.ts";

/** A program whose tree and pipes we control. */
export interface RunningProcess {
  readonly pid: number;
  /** Settles when the program itself has ended; its descendants and its output may not have. */
  readonly exited: Promise<ProcessEnd>;
  /** Writes to stdin and settles when there is room for more; a closed stdin ignores the data. */
  write(data: string | Uint8Array): Promise<void>;
  endInput(): void;
  /** Stops the whole tree: TERM, grace, KILL. */
  killTree(options: { readonly graceMs: number }): Promise<StoppedProcesses>;
  /**
   * Call this once the program has ended. It stops what the program left behind, and hands over the rest of the
   * output. It settles when both pipes are read to their end. A pipe's unknown holder is not waited for.
   */
  finish(options: { readonly graceMs: number }): Promise<StoppedProcesses>;
}

interface TendOptions {
  readonly table: ProcessTable;
  readonly marker: ProcessMarker | null;
  /** The child only wraps another program, which gets the TERM. */
  readonly wrapped?: boolean;
  /** For a process that adopts orphans, and starts no other program at the same time. */
  readonly orphans?: Orphans | null;
  readonly onStdout: ChunkReader;
  readonly onStderr: ChunkReader;
}

/** How long pipes may stay open after the program has ended. After that, their holders are searched for. */
const PIPES_CLOSE_MS = 50;
/** How long a group, or any orphan, may outlive its leader before it counts as left behind. */
const GROUP_ENDS_MS = 15;
/** With more new foreign pids than this, a reading of the whole table is cheaper; all callers share it. */
const FEW_PIDS = 64;
/** A program that ran this long may have used up so many pids that the newest ones prove nothing. */
const LONG_RUN_MS = 1000;

const NOTHING: StoppedProcesses = { stopped: [], left: [] };

/** Takes over a child that was started as the leader of its own group and session. */
export function tendProcess(child: Child, options: TendOptions): RunningProcess {
  const { table, marker, orphans = null } = options;
  const began = performance.now();
  let ended = false;
  const root = { pid: child.pid, ended: () => ended, wraps: options.wrapped === true };
  const tree: Tree = { root, marker, orphans };
  const exited = child.ended.then((end): ProcessEnd => {
    ended = true;
    return end;
  });
  rememberChild(child.pid, exited);
  const output = readPipes([
    { source: child.stdout, read: options.onStdout },
    { source: child.stderr, read: options.onStderr },
  ]);

  /**
   * Cheap checks first: most programs leave nothing behind, and a reading of the whole table costs more than they do.
   */
  const mayHaveLeft = async (): Promise<boolean> => {
    if (!output.isClosed() && !(await settlesWithin(PIPES_CLOSE_MS, output.closed))) return true;
    if (orphans?.reap(child.pid)) {
      await sleep(GROUP_ENDS_MS);
      if (orphans.reap(child.pid)) return true;
    }
    const now = performance.now();
    const started = now - began < LONG_RUN_MS ? table.startedAfter(child.pid) : null;
    const newer = started?.filter((pid) => !isOwnChild(pid, now)) ?? null;
    if (newer?.length === 0) return false;
    if (groupLives(child.pid)) {
      await sleep(GROUP_ENDS_MS);
      if (groupLives(child.pid)) return true;
    }
    if (marker === null) return false;
    return newer === null || newer.length > FEW_PIDS || (await table.withMarker(marker, newer)).size > 0;
  };

  let killed = false;
  return {
    pid: child.pid,
    exited,
    write: async (data) => child.stdin?.write(data),
    endInput: () => void child.stdin?.end(),
    killTree: async ({ graceMs }) => {
      killed = true;
      return stopTree(tree, { graceMs }, table);
    },
    finish: async ({ graceMs }) => {
      const stopped = !killed && (await mayHaveLeft()) ? await stopTree(tree, { graceMs }, table) : NOTHING;
      await output.drain({ hasty: killed });
      return stopped;
    },
  };
}

/** Whether this group still has a member, even a zombie. */
function groupLives(leader: number): boolean {
  if (process.platform === "win32") return false;
  try {
    process.kill(-leader, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** The first of: the program ends, the time is over, the caller aborts. */
export async function whatEnds(
  exited: Promise<unknown>,
  { timeoutMs, signal }: { readonly timeoutMs?: number; readonly signal?: AbortSignal },
): Promise<"exited" | "timeout" | "abort"> {
  const { promise, resolve } = Promise.withResolvers<"exited" | "timeout" | "abort">();
  const onAbort = () => resolve("abort");
  const timer =
    timeoutMs === undefined ? undefined : setTimeout(resolve, Math.min(timeoutMs, MAX_TIMER_MS), "timeout");
  if (signal?.aborted) onAbort();
  signal?.addEventListener("abort", onAbort);
  void exited.then(() => resolve("exited"));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  }
}
