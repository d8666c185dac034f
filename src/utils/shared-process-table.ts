/** Lets one reading of all processes answer everybody who asked before it began. */
import { snapshotOf } from "./process-snapshot.ts";
import type { ProcessSource, ProcessTable } from "./process-table.ts";

/** A table over what one operating system tells. */
export function createSharedTable(source: ProcessSource): ProcessTable {
  const { find, startedAfter, signal, bootId } = source;
  return {
    look: shareReading(async () => snapshotOf(await source.list(), source.carriers)),
    carrying: async ({ name, value }, pids) => (await source.carriers(name, pids)).get(value) ?? new Set(),
    find,
    startedAfter,
    signal,
    bootId,
  };
}

/**
 * Begins with the next turn of the event loop, for all who ask until then: hundreds of programs that end, or are to be stopped, at
 * once cost one reading, and nobody is answered by one that began before they asked. It does not wait for one under way:
 * that may itself be a program that has to be stopped, such as `ps`.
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
