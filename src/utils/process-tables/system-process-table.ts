/** Chooses how this operating system's processes are read and stopped; callers at the same time share one reading. */

import { snapshotOf } from "./process-snapshot.ts";
import type { ProcessSource, ProcessTable, ToolRunner } from "./process-table.ts";
import { createLinuxTable } from "./process-table-linux.ts";
import { createPsTable } from "./process-table-ps.ts";
import { createWindowsTable } from "./process-table-windows.ts";

/** The table of a platform. Linux is tested on real processes; macOS and Windows code was written, but not run. */
export function createSystemProcessTable(platform: string, run: ToolRunner): ProcessTable {
  return createSharedTable(sourceOf(platform, run));
}

function sourceOf(platform: string, run: ToolRunner): ProcessSource {
  if (platform === "linux") return createLinuxTable();
  return platform === "win32" ? createWindowsTable(run) : createPsTable(run);
}

/** A table from one operating system's source. */
export function createSharedTable(source: ProcessSource): ProcessTable {
  const { find, startedAfter, signal, bootId } = source;
  return {
    takeSnapshot: shareReading(async () => snapshotOf(await source.list(), source.carriers)),
    withMarker: async ({ name, value }, pids) => (await source.carriers(name, pids)).get(value) ?? new Set(),
    find,
    startedAfter,
    signal,
    bootId,
  };
}

/**
 * A reading begins with the next turn of the event loop, and serves all calls until then. Hundreds of programs that
 * end or are stopped at once cost one reading. No caller gets a reading that began before its call. It does not wait
 * for a running one: that may itself be a program to stop, such as `ps`.
 */
function shareReading<T>(read: () => Promise<T>): () => Promise<T> {
  let next: Promise<T> | null = null;
  const begin = async (): Promise<T> => {
    await new Promise<void>((resolve) => setImmediate(resolve));
    next = null;
    return read();
  };
  return () => {
    next ??= begin();
    return next;
  };
}
