/** Limits how many entries through an identity provider begin within a minute: each stores a row for ten minutes. */

/** A whole office behind one address stays below them. */
const MAX_OF_ONE = 120;
/** Also of this server: ten minutes of it are fewer rows than a database keeps. */
const MAX_OF_ALL = 600;
const WINDOW_MS = 60_000;

export interface EntryLimit {
  /** Counts an entry that begins. Null if it may; else in how many seconds one may again. */
  secondsToWait(address: string | undefined): number | null;
}

export function createEntryLimit(options: {
  readonly now: () => number;
  /** Told once a minute at most. */
  readonly report: (error: unknown) => void;
}): EntryLimit {
  let since = 0;
  let all = 0;
  let isTold = false;
  const counts = new Map<string, number>();
  return {
    secondsToWait(address) {
      const now = options.now();
      if (now - since >= WINDOW_MS) {
        [since, all, isTold] = [now, 0, false];
        counts.clear();
      }
      const network = networkOf(address ?? "");
      const count = counts.get(network) ?? 0;
      if (count < MAX_OF_ONE && all < MAX_OF_ALL) {
        all += 1;
        counts.set(network, count + 1);
        return null;
      }
      const who = count < MAX_OF_ONE ? `All together began ${MAX_OF_ALL}` : `${network} began ${MAX_OF_ONE}`;
      if (!isTold) options.report(`${who} sign-ins within a minute; more are refused until it is over.`);
      isTold = true;
      return Math.ceil((since + WINDOW_MS - now) / 1000);
    },
  };
}

/** Who has one address of version 6 has 2^64 of them: those count as one. A socket for both kinds writes `::ffff:10.0.0.7`. */
function networkOf(address: string): string {
  if (address.includes(".")) return address.slice(address.lastIndexOf(":") + 1);
  if (!address.includes(":")) return address;
  const [head = "", tail] = (address.split("%")[0] ?? "").split("::");
  const before = head.split(":").filter((group) => group !== "");
  const after = tail === undefined ? [] : tail.split(":").filter((group) => group !== "");
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => "0");
  const groups = [...before, ...zeros, ...after].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(":")}::/64`;
}
