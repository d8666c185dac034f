/** Looks every few seconds at which jobs nobody renews any more, and fails them: by that a lost worker is noticed. */
import type { PgBoss } from "pg-boss";
import { isPresence, RENEW_S } from "./queues.ts";

interface Watch {
  /** Settles when no look is under way. */
  stop(): Promise<void>;
}

interface WatchOptions {
  /** Called before each look. */
  readonly announce: () => Promise<void>;
  /** Called after each look: what was lost is in the queue `lost` now. */
  readonly looked: () => void;
  readonly report: (error: unknown) => void;
}

/** How often somebody looks. */
const EVERY_MS = 2_000;
/** Of a large team each member looks more rarely: so many looks of all in that time. */
const LOOKS = 4;
/** A look may be this late; then this process was stopped, or the machine slept. */
const LATE_MS = 4_000;
/** After the database was away, or this process was: every worker has spoken by then. */
const GRACE_MS = 2 * RENEW_S * 1000;

export function watchPresence(boss: PgBoss, { announce, looked, report }: WatchOptions): Watch {
  let timer: NodeJS.Timeout | undefined;
  let underway = Promise.resolve();
  let [stopped, trusted, due] = [false, false, 0];
  const again = (ms: number) => {
    if (stopped) return;
    due = performance.now() + ms;
    timer = setTimeout(() => {
      underway = look();
    }, ms);
  };
  const look = async () => {
    const fair = trusted && performance.now() - due < LATE_MS;
    trusted = false;
    try {
      await announce();
      const workers = await countPresent(boss);
      if (fair) {
        await boss.supervise();
        looked();
      }
      trusted = true;
      again(fair ? pauseOf(workers) : GRACE_MS);
    } catch (error) {
      report(error);
      again(EVERY_MS);
    }
  };
  again(EVERY_MS);
  return {
    stop: () => {
      stopped = true;
      clearTimeout(timer);
      return underway;
    },
  };
}

/** As they were counted at one of the last looks. */
async function countPresent(boss: PgBoss): Promise<number> {
  const queues = await boss.getQueues();
  return queues.filter((queue) => isPresence(queue) && queue.activeCount > 0).length;
}

/** By chance, so that engines that were started together do not look together. */
function pauseOf(workers: number): number {
  return EVERY_MS * Math.max(1, workers / LOOKS) * (0.75 + Math.random() / 2);
}
