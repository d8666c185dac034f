/** The time now, renewed about every second while somebody looks; a hidden page has no timer. */
import { useSyncExternalStore } from "react";

const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

export function useNow(): number {
  return useSyncExternalStore(listen, () => now);
}

/** What `of` makes of the time now. Its part of the screen is drawn anew only when that is another value. */
export function useClock<T extends string | boolean>(of: (now: number) => T): T {
  return useSyncExternalStore(listen, () => of(now));
}

/** Tells the time about every second. Returns what ends it. */
export const onTick = (tell: (now: number) => void): (() => void) => listen(() => tell(now));

function listen(tell: () => void): () => void {
  listeners.add(tell);
  setTimer();
  return () => {
    listeners.delete(tell);
    setTimer();
  };
}

function setTimer(): void {
  const wanted = listeners.size > 0 && !document.hidden;
  if (wanted && timer === undefined) {
    tick();
    timer = setInterval(tick, 1000);
  }
  if (!wanted && timer !== undefined) {
    clearInterval(timer);
    timer = undefined;
  }
}

function tick(): void {
  now = Date.now();
  for (const tell of listeners) tell();
}

document.addEventListener("visibilitychange", setTimer);
