/** Holds a bounded piece of a run's log: memory stays the same however long the log is. */
import type { LogLine, SentLog } from "@contract/endpoints/runs.ts";

/** The numbers of its lines follow each other without a hole. */
export interface LogWindow {
  readonly lines: readonly LogLine[];
  /** Nothing that is known comes after its last line; new lines are added here. */
  readonly isAtEnd: boolean;
  /** The run has ended, and its log is complete. */
  readonly isOver: boolean;
  /** How much is known of a log that another machine wrote; null or absent for all others. */
  readonly sent?: SentLog | null;
}

/** The most lines that one run keeps in memory. */
const MOST_LINES = 1_500;
export const PAGE_LINES = 500;

/** Beyond the most, this many go at once, so that not every new line moves all others. */
const SLACK = PAGE_LINES;

/** How many lines come before the window. Lines are counted from 1. */
export function linesBefore({ lines }: LogWindow): number {
  return (lines[0]?.n ?? 1) - 1;
}

/** Whether the last lines of a run that has ended are still to be read: it ended before they came. */
export function lacksEnd(held: LogWindow | null | undefined, { ended_at: ended }: Ended): boolean {
  return ended !== null && held?.isAtEnd === true && !held.isOver;
}

interface Ended {
  readonly ended_at: string | null;
}

/** Adds lines that follow. While a person reads further up, the window stays and stops at its end. */
export function withNewer(
  held: LogWindow,
  newer: readonly LogLine[],
  { isFollowed }: { readonly isFollowed: boolean },
): LogWindow {
  const last = held.lines.at(-1)?.n ?? 0;
  const added = newer.filter(({ n }) => n > last);
  const first = added[0]?.n;
  if (!held.isAtEnd || first === undefined) return held;
  // Lines came while the window was elsewhere: they are read from here on.
  if (first > last + 1) return { ...held, isAtEnd: false };
  const lines = [...held.lines, ...added];
  if (lines.length <= MOST_LINES + SLACK) return { ...held, lines };
  return isFollowed ? { ...held, lines: lines.slice(-MOST_LINES) } : { ...held, isAtEnd: false };
}

/** Puts older lines before the window, and lets go of as many at its end. */
export function withOlder(held: LogWindow, older: readonly LogLine[]): LogWindow {
  const first = held.lines[0]?.n ?? Number.POSITIVE_INFINITY;
  const lines = [...older.filter(({ n }) => n < first), ...held.lines];
  if (lines.length <= MOST_LINES) return { ...held, lines };
  return { ...held, lines: lines.slice(0, MOST_LINES), isAtEnd: false };
}

/** Puts the page after the window behind it, and lets go of as many at its beginning. */
export function withNext(
  held: LogWindow,
  page: { readonly lines: readonly LogLine[]; readonly isLast: boolean; readonly isOver: boolean },
): LogWindow {
  const last = held.lines.at(-1)?.n ?? 0;
  const lines = [...held.lines, ...page.lines.filter(({ n }) => n > last)];
  return { ...held, lines: lines.slice(-MOST_LINES), isAtEnd: page.isLast, isOver: page.isOver };
}
