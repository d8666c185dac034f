/** Holds all processes at one moment, indexed by pid, so that finding one tree does not scan all others. */
import type { MarkedPids, ProcessEntry, ProcessSnapshot } from "./process-table.ts";

/** `carriersOf` is called once for each name of a marker, however many of its values are asked for. */
export function snapshotOf(
  entries: readonly ProcessEntry[],
  carriersOf: (name: string, pids: readonly number[]) => Promise<MarkedPids>,
): ProcessSnapshot {
  const byPid = new Map(entries.map((entry) => [entry.pid, entry]));
  const excluded = ancestors(byPid, process.pid);
  const related = indexesByNumber(entries);
  const pidsByName = new Map<string, Promise<MarkedPids>>();

  const readMarked = (name: string): Promise<MarkedPids> => {
    const living = entries.filter(({ alive }) => alive).map(({ pid }) => pid);
    const reading = carriersOf(name, living);
    pidsByName.set(name, reading);
    return reading;
  };

  const marked = (name: string) => pidsByName.get(name) ?? readMarked(name);

  return {
    find: (pid) => byPid.get(pid),
    childrenOf: (parent) => entries.flatMap((entry) => (entry.parent === parent ? [entry.pid] : [])),
    membersOf: (ours) => {
      const found = new Set([...ours].filter((pid) => !excluded.has(pid)));
      const indexes = new Set<number>();
      // Iterating over a set also reaches what is added meanwhile.
      for (const number of found)
        for (const index of related.get(number) ?? []) {
          const pid = entries[index]?.pid;
          if (pid === undefined || excluded.has(pid)) continue;
          found.add(pid);
          indexes.add(index);
        }
      return [...indexes].sort((a, b) => a - b).flatMap((index) => entries[index] ?? []);
    },
    withMarker: async ({ name, value }) => (await marked(name)).get(value) ?? NO_PIDS,
    marked,
  };
}

const NO_PIDS: ReadonlySet<number> = new Set();

/** For each number: the indexes of the entries with it as their own number, or their parent's, group's or session's. */
function indexesByNumber(entries: readonly ProcessEntry[]): ReadonlyMap<number, readonly number[]> {
  const indexes = new Map<number, number[]>();
  for (const [index, { pid, parent, group, session }] of entries.entries())
    for (const number of new Set([pid, parent, group, session])) {
      if (number === null) continue;
      const known = indexes.get(number);
      if (known === undefined) indexes.set(number, [index]);
      else known.push(index);
    }
  return indexes;
}

/** A process and its ancestors, and process 1 in any case. */
function ancestors(byPid: ReadonlyMap<number, ProcessEntry>, pid: number): ReadonlySet<number> {
  const line = new Set([1]);
  for (let next: number | undefined = pid; next && !line.has(next); next = byPid.get(next)?.parent)
    line.add(next);
  return line;
}
