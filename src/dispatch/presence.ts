/** Keeps a job open while this worker lives, and tells when the one of another worker was lost. */
import { setTimeout as delay } from "node:timers/promises";
import type { Job, PgBoss } from "pg-boss";
import { eachJob } from "./each-job.ts";
import { LOST, presenceQueue, RENEW_S, REPLACE_S } from "./queues.ts";
import { watchPresence } from "./watch-presence.ts";

export interface PresenceOptions {
  /** The id of this worker. */
  readonly worker: string;
  /** Called by one engine, once, for a worker that has not been heard of for ten seconds. */
  readonly onSilent: (worker: string) => Promise<void>;
  /** Called when a worker begins to be there: at its start, and when it was reported lost but lives. */
  readonly onPresent: (worker: string) => Promise<void>;
}

interface Presence {
  /** Ends it without being reported lost. */
  stop(): Promise<void>;
}

interface About {
  readonly worker: string;
}

export async function keepPresence(
  boss: PgBoss,
  options: PresenceOptions & { readonly report: (error: unknown) => void },
): Promise<Presence> {
  const { worker, report } = options;
  const own = presenceQueue(worker);
  for (const queue of [LOST, own]) await boss.createQueue(queue.name, queue);
  const leave = new AbortController();
  let isOpen = false;
  const announce = async () => {
    if (!isOpen && !leave.signal.aborted) await boss.send(own.name, { worker });
  };
  await announce();
  await boss.work<About>(own.name, { heartbeatRefreshSeconds: RENEW_S }, async ([job]) => {
    isOpen = true;
    await stayOpen(job, { ...options, leave: leave.signal });
    isOpen = false;
    await announce().catch(report);
  });
  const lost = await boss.work<About>(
    LOST.name,
    // Woken after each look at who is there.
    { perJobResults: true, batchSize: 50, pollingIntervalSeconds: 30 },
    eachJob((about) => tellLost(boss, about, options), report),
  );
  const watch = watchPresence(boss, { announce, looked: () => boss.notifyWorker(lost), report });
  return {
    stop: async () => {
      leave.abort();
      await watch.stop();
      await Promise.all([own, LOST].map(({ name }) => boss.offWork(name, { wait: true })));
    },
  };
}

/** Settles when the job is over: it was lost, it is old, or this worker leaves. */
async function stayOpen(
  job: Job<About> | undefined,
  { worker, onPresent, leave, report }: Parameters<typeof keepPresence>[1] & { readonly leave: AbortSignal },
): Promise<void> {
  const over = job === undefined ? leave : AbortSignal.any([job.signal, leave]);
  const pause = (ms: number) => delay(ms, undefined, { signal: over }).catch(() => undefined);
  const tell = () =>
    onPresent(worker).then(
      () => true,
      (error: unknown) => {
        report(error);
        return false;
      },
    );
  const since = performance.now();
  while (!over.aborted && !(await tell())) await pause(RENEW_S * 1000);
  await pause(REPLACE_S * 1000 - (performance.now() - since));
}

/** Others may be there again by now. This worker is: it runs this. */
async function tellLost(
  boss: PgBoss,
  { worker }: About,
  options: Pick<PresenceOptions, "worker" | "onSilent" | "onPresent">,
): Promise<void> {
  if (worker === options.worker || (await isThere(boss, worker))) return;
  await options.onSilent(worker);
  // It may have said that it is there between the question and what was told here.
  if (await isThere(boss, worker)) await options.onPresent(worker);
}

async function isThere(boss: PgBoss, worker: string): Promise<boolean> {
  const jobs = await boss.findJobs(presenceQueue(worker).name);
  return jobs.some(({ state }) => state === "active");
}
