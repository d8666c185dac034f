/** Holds all processes of one reading, indexed by number, so that finding one tree does not scan all others. */
import type { MarkedPids, ProcessEntry, ProcessSnapshot } from "./process-table.ts";

/** `carriersOf` is called once for each name of a marker, even for many values. */
export function snapshotOf(
  entries: readonly ProcessEntry[],
  carriersOf: (name: string, pids: readonly number[]) => Promise<MarkedPids>,
): ProcessSnapshot {
  const byPid = new Map(entries.map((entry) => [entry.pid, entry]));
  const spared = ancestors(byPid, process.pid);
  const related = placesByNumber(entries);
  const carriers = new Map<string, Promise<MarkedPids>>();

  const readCarriers = (name: string): Promise<MarkedPids> => {
    const living = entries.filter(({ alive }) => alive).map(({ pid }) => pid);
    const reading = carriersOf(name, living);
    carriers.set(name, reading);
    return reading;
  };

  const marked = (name: string) => carriers.get(name) ?? readCarriers(name);

  return {
    find: (pid) => byPid.get(pid),
    childrenOf: (parent) => entries.flatMap((entry) => (entry.parent === parent ? [entry.pid] : [])),
    membersOf: (ours) => {
      const found = new Set([...ours].filter((pid) => !spared.has(pid)));
      const places = new Set<number>();
      // Iterating over a set also reaches what is added meanwhile.
      for (const number of found)
        for (const place of related.get(number) ?? []) {
          const pid = entries[place]?.pid;
          if (pid === undefined || spared.has(pid)) continue;
          found.add(pid);
          places.add(place);
        }
      return [...places].sort((a, b) => a - b).flatMap((place) => entries[place] ?? []);
    },
    withMarker: async ({ name, value }) => (await marked(name)).get(value) ?? NOBODY,
    marked,
  };
}

const NOBODY: ReadonlySet<number> = new Set();

/** For each number: the indexes of the entries with it as their own number, or their parent's, group's or session's. */
function placesByNumber(entries: readonly ProcessEntry[]): ReadonlyMap<number, readonly number[]> {
  const places = new Map<number, number[]>();
  for (const [place, { pid, parent, group, session }] of entries.entries())
    for (const number of new Set([pid, parent, group, session])) {
      if (number === null) continue;
      const known = places.get(number);
      if (known === undefined) places.set(number, [place]);
      else known.push(place);
    }
  return places;
}

/** A process and its ancestors, and process 1 in any case. */
function ancestors(byPid: ReadonlyMap<number, ProcessEntry>, pid: number): ReadonlySet<number> {
  const line = new Set([1]);
  for (let next: number | undefined = pid; next && !line.has(next); next = byPid.get(next)?.parent)
    line.add(next);
  return line;
}
