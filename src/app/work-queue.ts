/** Joins the queue with who works on it: it is looked at when something ended, when a time has come, when a setting changed. */
import type { Dispatcher } from "../dispatch/dispatcher.ts";
import { createLocalDispatcher } from "../dispatch/local.ts";
import type { ServiceContext } from "../services/context.ts";
import { driveRun } from "../services/runs/drive-run.ts";
import { createQueueReader } from "../services/runs/queue.ts";
import { createWaitingTeller } from "../services/runs/tell-waiting.ts";
import { watchSettings } from "./settings-watch.ts";
import { watchTrash } from "./trash-watch.ts";
import { createWaker } from "./waker.ts";

export interface WorkQueue {
  readonly dispatcher: Dispatcher;
  /** No time and no setting wakes it any more, nor the one that looks after the trash. */
  stopWaking(): void;
}

const RETRY_MS = 5_000;

export function createWorkQueue(context: ServiceContext): WorkQueue {
  const queue = createQueueReader(context);
  const waker = createWaker(() => dispatcher.poke());
  const dispatcher = createLocalDispatcher({
    gather: async () => {
      const facts = await queue.gather();
      waker.wakeAt(queue.nextWake());
      return facts;
    },
    slotsOf: queue.slotsOf,
    tellWaiting: createWaitingTeller(context),
    execute: (runId) => driveRun(context, runId),
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
