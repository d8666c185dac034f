/** Joins the engines on one Postgres: tells a worker to look at something, and knows who is there (ADR 0085). */
import { AsyncLocalStorage } from "node:async_hooks";
import type { PgBoss } from "pg-boss";
import { settlesWithin } from "../utils/time/waiting.ts";
import { type Chore, doChore } from "./chores.ts";
import { eachJob } from "./each-job.ts";
import { keepPresence, type PresenceOptions } from "./presence.ts";
import { jobsSchema, lookQueue, PLACE } from "./queues.ts";
import { tellSeldom } from "./tell-seldom.ts";

/** Runs one SQL text with $1 parameters, on our pool or in our transaction. */
export type ExecuteSql = (
  text: string,
  values: readonly unknown[],
) => Promise<{ readonly rows: readonly Record<string, unknown>[] }>;

/** What a worker should look at. A job says no more, since rows say the rest. */
export interface LookAt {
  readonly run: string | null;
  readonly attempt: string | null;
  /** What another worker asks. */
  readonly request?: string;
}

export interface Team {
  /**
   * Tells a worker to look at a run or an attempt of its own, or at a request. With `execute` it belongs to that transaction: no row
   * without its job. A worker that is not there looks when it is.
   */
  look(worker: string, at: LookAt, execute?: ExecuteSql): Promise<void>;
  /** Makes sure that `look` needs nothing but its transaction. */
  meet(worker: string): Promise<void>;
  /** Asks that one engine looks soon at what waits on all workers. It never rejects. */
  place(): Promise<void>;
  /** From now on this engine does it if its time has come, until it stops. */
  chore(chore: Chore): void;
  /** Ends within five seconds; this worker is not reported lost. */
  stop(): Promise<void>;
}

type ListenSql = (
  channel: string,
  onPayload: (payload: string) => void,
  onConnect: () => void,
) => Promise<{ close(): Promise<void> }>;

interface TeamOptions extends PresenceOptions {
  /** A text may hold several statements between `BEGIN` and `COMMIT`. */
  readonly execute: ExecuteSql;
  /** The same on other connections: whoever holds that of `execute` may wait for what runs here. */
  readonly executeBeside: ExecuteSql;
  /** Hears a channel of the database; without it, or while it hears nothing, looks are found by a poll. */
  readonly listen?: ListenSql;
  /** The schema of our tables. */
  readonly schema: string;
  /** Called for each look, one at a time; again after a while if it rejects. */
  readonly onLook: (at: LookAt) => Promise<void>;
  /** Called for each time when somebody asked to look at what waits on all workers, on one engine. */
  readonly onPlace: () => Promise<void>;
  /** At most once a minute for each kind of fault. */
  readonly onError: (error: unknown) => void;
}

const STOP_MS = 5_000;
/** How often looks are asked for, if nothing tells of them, and if something does. */
const [POLL_S, TOLD_POLL_S] = [1, 5];
/** The same for what waits on all workers. */
const [PLACE_POLL_S, TOLD_PLACE_POLL_S] = [5, 30];
/** A look that met another one at the same run may wait for so long. */
const CACHE_S = 10;

/** Rejects if the database fails; nothing is left then. The package is loaded here, so that an SQLite never pays for it. */
export async function joinTeam(options: TeamOptions): Promise<Team> {
  const { PgBoss } = await import("pg-boss");
  const report = tellSeldom(options.onError);
  const beside = new AsyncLocalStorage<ExecuteSql>();
  const boss = new PgBoss({
    db: {
      ...adapterOf((text, values) => (beside.getStore() ?? options.execute)(text, values)),
      ...(options.listen === undefined ? {} : { listen: options.listen }),
    },
    useListenNotify: options.listen !== undefined,
    schema: jobsSchema(options.schema),
    schedule: false,
    supervise: false,
    monitorIntervalSeconds: 2,
    maintenanceIntervalSeconds: 60,
    queueCacheIntervalSeconds: CACHE_S,
    reindex: false,
    monitorVacuum: false,
  });
  boss.on("error", report);
  try {
    await startTogether(boss);
    const stopLooking = await takeLooks(boss, { ...options, report });
    const stopPlacing = await takePlacing(boss, { ...options, report });
    const presence = await keepPresence(boss, { ...options, report });
    const ends = [presence.stop, stopLooking, stopPlacing];
    const leave = async () => {
      await Promise.all(ends.map((end) => end()));
      await boss.stop();
    };
    let left: Promise<boolean> | null = null;
    return {
      ...lookSender(boss, (act) => beside.run(options.executeBeside, act)),
      place: () => boss.send(PLACE.name, {}).then(() => undefined, report),
      chore: (chore) => void ends.push(doChore(boss, chore, report)),
      stop: async () => {
        left ??= settlesWithin(STOP_MS, leave().catch(report));
        await left;
      },
    };
  } catch (error) {
    await boss.stop({ graceful: false }).catch(report);
    throw error;
  }
}

/**
 * The package makes its schema under a lock. Whoever waited for it may still not see the new schema, and fails over
 * making it once more; a second start finds it.
 */
async function startTogether(boss: PgBoss): Promise<void> {
  await boss.start().catch((error: unknown) => {
    if (!(error instanceof Error && "code" in error && error.code === "23505")) throw error;
    return boss.start();
  });
}

function adapterOf(execute: ExecuteSql) {
  return {
    executeSql: async (text: string, values: readonly unknown[] = []) => {
      const { rows } = await execute(text, values);
      return { rows: [...rows] };
    },
  };
}

/** Looks that an earlier process of this worker had begun come again at once: it is gone, since this one runs. */
async function takeLooks(
  boss: PgBoss,
  {
    worker,
    onLook,
    report,
  }: Pick<TeamOptions, "worker" | "onLook"> & { readonly report: (error: unknown) => void },
): Promise<() => Promise<void>> {
  const queue = lookQueue(worker);
  await boss.createQueue(queue.name, queue);
  const begun = (await boss.findJobs(queue.name)).filter(({ state }) => state === "active");
  const ids = begun.map(({ id }) => id);
  if (ids.length > 0) await boss.fail(queue.name, ids);
  await boss.work<LookAt>(
    queue.name,
    {
      perJobResults: true,
      batchSize: 50,
      burstWhenBatchFull: true,
      pollingIntervalSeconds: POLL_S,
      notifyPollingIntervalSeconds: TOLD_POLL_S,
    },
    eachJob(onLook, report),
  );
  return () => boss.offWork(queue.name, { wait: true });
}

/** Every engine takes these jobs, so they are asked for seldom if nothing tells of one. */
async function takePlacing(
  boss: PgBoss,
  { onPlace, report }: Pick<TeamOptions, "onPlace"> & { readonly report: (error: unknown) => void },
): Promise<() => Promise<void>> {
  await boss.createQueue(PLACE.name, PLACE);
  await boss.work(
    PLACE.name,
    {
      perJobResults: true,
      pollingIntervalSeconds: PLACE_POLL_S,
      notifyPollingIntervalSeconds: TOLD_PLACE_POLL_S,
    },
    eachJob(onPlace, report),
  );
  return () => boss.offWork(PLACE.name, { wait: true });
}

/**
 * What is asked within the transaction of a caller, `beside` asks on another connection: the one of all jobs may be held by
 * that transaction, or wait for it.
 */
function lookSender(
  boss: PgBoss,
  beside: (act: () => Promise<void>) => Promise<void>,
): Pick<Team, "look" | "meet"> {
  const known = new Set<string>();
  const meet = async (worker: string) => {
    if (known.has(worker)) return;
    // Outside of the caller's transaction: a queue without jobs harms nobody.
    const queue = lookQueue(worker);
    await boss.createQueue(queue.name, queue);
    known.add(worker);
  };
  return {
    meet: (worker) => beside(() => meet(worker)),
    look: (worker, at, execute) =>
      beside(async () => {
        await meet(worker);
        await boss.send(lookQueue(worker).name, at, {
          singletonKey: `${at.run ?? ""}/${at.attempt ?? ""}/${at.request ?? ""}`,
          ...(execute === undefined ? {} : { db: adapterOf(execute) }),
        });
      }),
  };
}
