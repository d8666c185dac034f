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

/** Less is the doubt of one question over a network. */
const TOLERATED_MS = 2_000;

/** A worker whose clock is further off is refused: waits and times of its runs would be nonsense. */
const MOST_OFFSET_MS = 60_000;

/** Whether people are told. */
export function isOff(aheadMs: number | null): boolean {
  return Math.abs(aheadMs ?? 0) > TOLERATED_MS;
}

/** Whether such a worker begins nothing. */
export function isFarOff(aheadMs: number | null): boolean {
  return Math.abs(aheadMs ?? 0) > MOST_OFFSET_MS;
}
