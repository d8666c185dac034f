/** Chooses the lines of a page of a log: on from a line or back from one, all of them or those with a text. */
import type { LogLine } from "./log.ts";

interface Asked {
  /** Lines after this number. */
  readonly after: number;
  /** Lines before this number, the last ones of them; null reads on from `after`. */
  readonly before: number | null;
  /** The most lines of the page. */
  readonly limit: number;
  /** Only lines that contain it, in any case; null for all. */
  readonly query: string | null;
}

interface ChosenLines {
  /** In the order of their numbers. */
  readonly lines: readonly LogLine[];
  /** The last line that was looked at, or `after` if there was none. */
  readonly next: number;
  /** The first line that was looked at; null if there is nothing before it. */
  readonly previous: number | null;
}

/** A search looks at no more lines at once; the caller goes on from there. */
export const MOST_SEARCHED = 20_000;

/** `lineAt` gives the line with a number from 1 to `total`. A search pauses after each line that it looked at. */
export function* chooseLines(
  total: number,
  asked: Asked,
  lineAt: (n: number) => LogLine,
): Generator<void, ChosenLines> {
  const isWanted = matcher(asked.query);
  const most = asked.query === null ? asked.limit : MOST_SEARCHED;
  const lines: LogLine[] = [];
  let looked = 0;
  if (asked.before === null) {
    let n = asked.after;
    while (n < total && lines.length < asked.limit && looked < most) {
      n += 1;
      looked += 1;
      const line = lineAt(n);
      if (isWanted(line)) lines.push(line);
      yield;
    }
    return { lines, next: n, previous: asked.after > 0 ? Math.min(asked.after, total) + 1 : null };
  }
  const end = Math.min(asked.before, total + 1);
  let n = end;
  while (n > asked.after + 1 && lines.length < asked.limit && looked < most) {
    n -= 1;
    looked += 1;
    const line = lineAt(n);
    if (isWanted(line)) lines.push(line);
    yield;
  }
  return { lines: lines.reverse(), next: Math.max(end - 1, 0), previous: n > 1 ? n : null };
}

/** The words are compared as they stand in JSON, where a quote has a backslash. */
function matcher(query: string | null): (line: LogLine) => boolean {
  if (query === null) return () => true;
  const wanted = JSON.stringify(query).slice(1, -1).toLowerCase();
  return ({ event }) => JSON.stringify(event).toLowerCase().includes(wanted);
}
