/** Wakes the queue at the time at which something that waits may go on. */

export interface Waker {
  /** Replaces the time set before; null sets none. UTC ISO. */
  wakeAt(time: string | null): void;
  stop(): void;
}

/** A timer cannot be set for longer than this; it then looks again. */
const LONGEST_MS = 3_600_000;

export function createWaker(wake: () => void): Waker {
  let timer: ReturnType<typeof setTimeout> | null = null;
  const clear = () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  };
  return {
    wakeAt: (time) => {
      clear();
      if (time === null) return;
      const delay = Math.min(Math.max(Date.parse(time) - Date.now() + 5, 0), LONGEST_MS);
      timer = setTimeout(wake, delay);
      timer.unref();
    },
    stop: clear,
  };
}
