/** Has something done now and then by one engine of a team, whichever of them can do it. */
import { setTimeout as delay } from "node:timers/promises";
import type { PgBoss } from "pg-boss";
import { choreQueue } from "./queues.ts";

export interface Chore {
  /** Engines that can do the same chore give it the same name. */
  readonly name: string;
  readonly everyMs: number;
  /** Never rejects: what fails is done again at the next time. */
  readonly act: () => Promise<void>;
}

/** The least, and what is often enough, between two questions for a job whose time has come. */
const [MIN_POLL_S, MAX_POLL_S] = [0.5, 30];
/** How long until it is tried again, if the database refuses. */
const AGAIN_MS = 10_000;

/** It is due at once if no other engine waits for its time. The answer ends it here; others go on with it. */
export function doChore(boss: PgBoss, chore: Chore, report: (error: unknown) => void): () => Promise<void> {
  const leave = new AbortController();
  const begun = (async () => {
    while (!leave.signal.aborted) {
      try {
        return await beginChore(boss, chore, report);
      } catch (error) {
        report(error);
        await delay(AGAIN_MS, undefined, { signal: leave.signal }).catch(() => undefined);
      }
    }
  })();
  return async () => {
    leave.abort();
    await begun;
    await boss.offWork(choreQueue(chore.name).name, { wait: true });
  };
}

async function beginChore(
  boss: PgBoss,
  { name, everyMs, act }: Chore,
  report: (error: unknown) => void,
): Promise<void> {
  const queue = choreQueue(name);
  const everyS = everyMs / 1000;
  await boss.createQueue(queue.name, queue);
  await boss.send(queue.name, {});
  await boss.work(
    queue.name,
    { pollingIntervalSeconds: Math.min(MAX_POLL_S, Math.max(MIN_POLL_S, everyS)) },
    async () => {
      await act();
      // The time is counted by the clock of the database.
      await boss.send(queue.name, {}, { startAfter: everyS }).catch(report);
    },
  );
}
