/** Tends one started program: knows when it ended, stops its tree, and leaves nothing of it behind. */
import type { Child, ChunkReader, ProcessEnd } from "./child.ts";
import { type Orphans, type StoppedProcesses, stopTree, type Tree } from "./kill-tree.ts";
import { isOwnChild, rememberChild } from "./own-children.ts";
import type { ProcessMarker, ProcessTable } from "./process-table.ts";
import { readPipes } from "./read-pipes.ts";
import { settlesWithin, sleep } from "./waiting.ts";

export type { ProcessEnd } from "./child.ts";
export type { Orphans } from "./kill-tree.ts";

/** A program whose tree and pipes are in our hands. */
export interface RunningProcess {
  readonly pid: number;
  /** Settles when the program itself has ended; its descendants and its output may not have. */
  readonly exited: Promise<ProcessEnd>;
  /** Writes to stdin and settles when there is room for more; a closed stdin swallows it. */
  write(data: string | Uint8Array): Promise<void>;
  endInput(): void;
  /** Stops the whole tree: TERM, grace, KILL. */
  killTree(options: { readonly graceMs: number }): Promise<StoppedProcesses>;
  /**
   * To be called once the program has ended: stops what it left behind, hands over the rest of the output, and
   * settles when both pipes are read to their end. What holds a pipe and cannot be found is not waited for.
   */
  finish(options: { readonly graceMs: number }): Promise<StoppedProcesses>;
}

export interface TendOptions {
  readonly table: ProcessTable;
  readonly marker: ProcessMarker | null;
  /** The child only holds another program: TERM is for that one. */
  readonly wrapped?: boolean;
  /** Of a process that adopts orphans, and starts no other program at the same time. */
  readonly orphans?: Orphans | null;
  readonly onStdout: ChunkReader;
  readonly onStderr: ChunkReader;
}

/** How long pipes may stay open after the program has ended before somebody is looked for who holds them. */
const PIPES_CLOSE_MS = 50;
/** How long a group, or any orphan, may outlive its leader before that counts as left behind. */
const GROUP_ENDS_MS = 15;
/** More new pids of strangers than this, and a reading of the whole table, which all share who need one now, is cheaper. */
const FEW_PIDS = 64;
/** A program that ran this long can have used up so many pids that the newest ones say nothing. */
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

  /** Cheap questions first: most programs leave nothing behind, and a reading of the whole table costs more than they do. */
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
    return newer === null || newer.length > FEW_PIDS || (await table.carrying(marker, newer)).size > 0;
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

/** Whether anybody, zombies too, is in the group that this number names. */
function groupLives(leader: number): boolean {
  if (process.platform === "win32") return false;
  try {
    process.kill(-leader, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
