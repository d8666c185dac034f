/** Measures how far this machine's clock is from that of the database, over a connection that takes its time. */

/** An answer of the database's clock, between two looks at our own (milliseconds since 1970). */
interface ClockReading {
  readonly sentAt: number;
  readonly receivedAt: number;
  readonly theirs: number;
}

/** How far our clock is ahead, in milliseconds. The answer counts as made in the middle of the round trip. */
export function aheadMs({ sentAt, receivedAt, theirs }: ClockReading): number {
  return Math.round((sentAt + receivedAt) / 2 - theirs);
}

/** A worker whose clock is further off is refused: waits and times of its runs would be nonsense. */
export const MOST_OFFSET_MS = 60_000;
