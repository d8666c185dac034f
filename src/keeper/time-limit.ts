/** Counts down an agent's time limit; it stands still while a person is asked. */
import { MAX_TIMER_MS } from "../utils/time/waiting.ts";

interface TimeLimit {
  begin(): void;
  /** `true` lets it stand still, `false` lets it go on. */
  pause(paused: boolean): void;
  stop(): void;
}

/** `limitMs` null never ends. */
export function createTimeLimit(limitMs: number | null, onLate: (ms: number) => void): TimeLimit {
  let left = limitMs ?? 0;
  let since: number | null = null;
  let timer: NodeJS.Timeout | undefined;
  const run = (): void => {
    if (limitMs === null || since !== null) return;
    since = performance.now();
    timer = setTimeout(() => onLate(limitMs), Math.min(left, MAX_TIMER_MS));
  };
  const halt = (): void => {
    clearTimeout(timer);
    if (since !== null) left = Math.max(0, left - (performance.now() - since));
    since = null;
  };
  return { begin: run, pause: (paused) => (paused ? halt() : run()), stop: halt };
}
