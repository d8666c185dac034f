/** Tells a process from a later one with the same number, and stops processes by a marker in their environment. */
import { localProcesses } from "../exec.ts";
import type { ProcessMarker } from "../process-tables/process-table.ts";
import { findTree, type StoppedProcesses, stopTree } from "../processes/kill-tree.ts";

export type { ProcessMarker } from "../process-tables/process-table.ts";

/** Identifies a process during its life; all three together never name another one. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Its start time in the system's own unit (Linux: clock ticks since boot). */
  readonly startTime: string;
  /** The boot and the machine of that start time. */
  readonly bootId: string;
}

/** The identity of a living process; null if there is none (a zombie counts as none). */
export async function identify(pid: number): Promise<ProcessIdentity | null> {
  const entry = await localProcesses.find(pid);
  if (!entry?.alive) return null;
  return { pid, startTime: entry.startTime, bootId: await localProcesses.bootId() };
}

/** Whether exactly this process still lives: same pid, start time and boot; a zombie is dead. */
export async function isAlive(identity: ProcessIdentity): Promise<boolean> {
  const current = await identify(identity.pid);
  return current?.startTime === identity.startTime && current.bootId === identity.bootId;
}

/**
 * Pids of living processes whose environment carries the marker, and of their descendants. This process and its
 * ancestors are left out. If a program overwrote its environment (setproctitle) or belongs to another user, it is
 * found only through its parent.
 */
export async function findMarked(marker: ProcessMarker): Promise<readonly number[]> {
  const found = await findTree({ root: null, marker }, localProcesses);
  return found.map(({ pid }) => pid);
}

/** A living process that has a variable in its environment. */
interface MarkedProcess {
  readonly pid: number;
  readonly startTime: string;
  readonly value: string;
}

/** Every other process that carries a marker of this name, with any value. It reads the process table once. */
export async function listMarked(name: string): Promise<readonly MarkedProcess[]> {
  const snapshot = await localProcesses.takeSnapshot();
  const found: MarkedProcess[] = [];
  for (const [value, pids] of await snapshot.marked(name))
    for (const pid of pids) {
      const entry = snapshot.find(pid);
      if (entry?.alive && pid !== process.pid) found.push({ pid, startTime: entry.startTime, value });
    }
  return found;
}

/**
 * Stops every process that carries the marker, and their descendants: TERM, `graceMs` (default 2000), KILL, again
 * until none is left. Descendants of `root` belong to them even without the marker. `root` counts while it lives.
 */
export async function stopMarked(
  marker: ProcessMarker,
  options: { readonly graceMs?: number; readonly root?: ProcessIdentity | null } = {},
): Promise<StoppedProcesses> {
  const { graceMs = 2000, root = null } = options;
  const top = root !== null && (await isAlive(root)) ? { ...root, ended: () => false } : null;
  return stopTree({ root: top, marker }, { graceMs }, localProcesses);
}
