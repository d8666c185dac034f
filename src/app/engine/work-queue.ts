/** Gives the queue to its workers; looks at it and at the trash as time passes or a setting changes. */
import type { Dispatcher } from "../../dispatch/dispatcher.ts";
import { createLocalDispatcher } from "../../dispatch/local.ts";
import { forgetEntries } from "../../services/access/entries.ts";
import { forgetTeamActs } from "../../services/access/team-acts.ts";
import { putAwayClones } from "../../services/clones/put-away-clones.ts";
import type { ServiceContext } from "../../services/core/context.ts";
import type { CleanUpContext } from "../../services/core/context-parts.ts";
import { createChangeTeller } from "../../services/moving/tell-change.ts";
import { lookSoon } from "../../services/pull-requests/look-soon.ts";
import { createCapacityTeller } from "../../services/queue/capacity.ts";
import { createQueueReader } from "../../services/queue/queue.ts";
import { createWaitingTeller } from "../../services/queue/tell-waiting.ts";
import { driveRun } from "../../services/runs/drive-run.ts";
import { purgeDue } from "../../services/trash/purge-due.ts";
import { stopOverdue } from "../../services/workers/stop-overdue.ts";

interface WorkQueue {
  readonly dispatcher: Dispatcher;
  /** No time and no setting wakes it any more; this stops the timer of the trash too. */
  stopWaking(): void;
}

const RETRY_MS = 5_000;

export function createWorkQueue(context: ServiceContext): WorkQueue {
  const queue = createQueueReader(context);
  const waker = createWaker(() => dispatcher.poke());
  const tellWaiting = createWaitingTeller(context);
  const tellCapacity = createCapacityTeller(context);
  const tellChange = createChangeTeller(context);
  const dispatcher = createLocalDispatcher({
    gather: async () => {
      const facts = await queue.gather();
      waker.wakeAt(queue.nextWake());
      return facts;
    },
    slotsOf: queue.slotsOf,
    tellWaiting: async (waiting) => {
      await tellWaiting(waiting);
      await tellCapacity();
      await tellChange(waiting);
      await stopOverdue(context);
    },
    execute: (run) => {
      const slot = { repositoryKey: run.repositoryKey, login: run.login, limits: queue.slotsOf(run) };
      return driveRun(context, run.id, slot).finally(() => lookSoon(context, { run: run.id }));
    },
    retryMs: RETRY_MS,
    onError: (error) => context.reportFault("a run's driver", error),
  });
  const settings = watchSettings({
    changed: queue.settingsChanged,
    wake: dispatcher.poke,
    onError: (error) => context.reportFault("watching the configuration", error),
  });
  const trash = watchTrash(context);
  return {
    dispatcher,
    stopWaking: () => {
      trash.stop();
      waker.stop();
      settings.stop();
    },
  };
}

interface Waker {
  /** Replaces the time that was set before; null sets none. UTC ISO. */
  wakeAt(time: string | null): void;
  stop(): void;
}

/** A timer cannot be set for longer than this; the queue then looks again. */
const MAX_MS = 3_600_000;

function createWaker(wake: () => void): Waker {
  let timer: ReturnType<typeof setTimeout> | null = null;
  const clear = () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  };
  return {
    wakeAt: (time) => {
      clear();
      if (time === null) return;
      const delay = Math.min(Math.max(Date.parse(time) - Date.now() + 5, 0), MAX_MS);
      timer = setTimeout(wake, delay);
      timer.unref();
    },
    stop: clear,
  };
}

interface SettingsWatch {
  stop(): void;
}

const POLL_MS = 1_000;

/** Calls `wake` soon after `changed` says so. */
function watchSettings(watch: {
  /** Cheap if nothing waits. */
  readonly changed: () => Promise<boolean>;
  readonly wake: () => void;
  readonly onError: (error: unknown) => void;
}): SettingsWatch {
  let looking = false;
  const look = async () => {
    if (looking) return;
    looking = true;
    try {
      if (await watch.changed()) watch.wake();
    } catch (error) {
      watch.onError(error);
    } finally {
      looking = false;
    }
  };
  const timer = setInterval(look, POLL_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

interface TrashWatch {
  stop(): void;
}

/** The first look comes early: an idle engine ends by itself after ten minutes. */
const FIRST_MS = 60_000;
const EVERY_MS = 3_600_000;

/** What is old goes each hour. The trash goes first: clones go only if there is still too little room. */
function watchTrash(
  context: CleanUpContext &
    Parameters<typeof putAwayClones>[0] &
    Parameters<typeof forgetEntries>[0] &
    Parameters<typeof forgetTeamActs>[0],
): TrashWatch {
  const { trashKeepMs } = context.timing;
  let timer: ReturnType<typeof setTimeout> | null = null;
  const lookIn = (ms: number) => {
    timer = setTimeout(look, Math.min(ms, trashKeepMs));
    timer.unref();
  };
  const look = async () => {
    await purgeDue(context).catch((error) => context.reportFault("deleting old trash", error));
    await putAwayClones(context).catch((error) => context.reportFault("taking clones away", error));
    await forgetEntries(context).catch((error) => context.reportFault("forgetting old sign-ins", error));
    await forgetTeamActs(context).catch((error) => context.reportFault("forgetting old acts", error));
    if (!context.engineStop.aborted && timer !== null) lookIn(EVERY_MS);
  };
  lookIn(FIRST_MS);
  return {
    stop: () => {
      if (timer !== null) clearTimeout(timer);
      timer = null;
    },
  };
}
