/** Tells one process from another that got its number later, and stops processes by a mark in their environment. */
import { localProcesses } from "./exec.ts";
import { findTree, type StoppedProcesses, stopTree } from "./kill-tree.ts";
import type { ProcessMarker } from "./process-table.ts";

export type { StoppedProcesses } from "./kill-tree.ts";
export type { ProcessMarker } from "./process-table.ts";

/** A process for as long as it lives; all three together never name another one. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When it started, as the system counts (Linux: clock ticks since boot). */
  readonly startTime: string;
  /** Which boot of which machine that count belongs to. */
  readonly bootId: string;
}

/** The identity of a living process; null where there is none (a zombie is none). */
export async function identify(pid: number): Promise<ProcessIdentity | null> {
  const entry = await localProcesses.find(pid);
  if (!entry?.alive) return null;
  return { pid, startTime: entry.startTime, bootId: await localProcesses.bootId() };
}

/** Whether exactly this process still lives: same pid, start time and boot; a zombie is dead. */
export async function isAlive(identity: ProcessIdentity): Promise<boolean> {
  const now = await identify(identity.pid);
  return now?.startTime === identity.startTime && now.bootId === identity.bootId;
}

/**
 * Pids of living processes whose environment carries the marker, and of what descends from them. This process and
 * those that it descends from are left out. A program that wrote over its environment (setproctitle) or that
 * belongs to another user is found through its parent only.
 */
export async function findMarked(marker: ProcessMarker): Promise<readonly number[]> {
  const found = await findTree({ root: null, marker }, localProcesses);
  return found.map(({ pid }) => pid);
}

/** A living process that has a variable in its environment. */
export interface MarkedProcess {
  readonly pid: number;
  readonly startTime: string;
  readonly value: string;
}

/** Every process that carries a marker of this name, whatever it holds; this one is left out. One reading of all. */
export async function listMarked(name: string): Promise<readonly MarkedProcess[]> {
  const snapshot = await localProcesses.look();
  const found: MarkedProcess[] = [];
  for (const [value, pids] of await snapshot.marked(name))
    for (const pid of pids) {
      const entry = snapshot.find(pid);
      if (entry?.alive && pid !== process.pid) found.push({ pid, startTime: entry.startTime, value });
    }
  return found;
}

/**
 * Stops every process that carries the marker, and their descendants: TERM, `graceMs` (2000 unless told), KILL,
 * again until none is left. `root` is one whose descendants belong to them whatever they carry; it counts while it lives.
 */
export async function stopMarked(
  marker: ProcessMarker,
  options: { readonly graceMs?: number; readonly root?: ProcessIdentity | null } = {},
): Promise<StoppedProcesses> {
  const { graceMs = 2000, root = null } = options;
  const top = root !== null && (await isAlive(root)) ? { ...root, ended: () => false } : null;
  return stopTree({ root: top, marker }, { graceMs }, localProcesses);
}
