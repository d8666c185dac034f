/** Tells the time, as a value that is passed down so that tests can use their own clock. */

export interface Clock {
  now(): Date;
  /** The time as fixed-width UTC ISO text (`2026-01-31T09:05:00.000Z`), which sorts in order of time. */
  iso(): string;
}

/** A clock over any source of milliseconds since 1970. */
export function createClock(millis: () => number): Clock {
  return {
    now: () => new Date(millis()),
    iso: () => new Date(millis()).toISOString(),
  };
}

/** The clock of this machine. */
export const systemClock: Clock = createClock(Date.now);
