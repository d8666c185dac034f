/** Executes queued runs in this process, within the limits, in the order of the queue. */
import {
  type QueuedRun,
  type Schedule,
  type SchedulingFacts,
  type Slots,
  scheduleRuns,
} from "../domain/run/scheduling.ts";
import type { Dispatcher } from "./dispatcher.ts";

interface LocalDispatcherOptions {
  /** Reads the queue; the dispatcher itself knows the active runs. */
  readonly gather: () => Promise<Omit<SchedulingFacts, "active">>;
  readonly slotsOf: (run: QueuedRun) => Slots;
  /** Called after every check of the queue. */
  readonly tellWaiting: (waiting: Schedule["waiting"]) => Promise<void>;
  /** Drives one run until it ends or waits. A rejection is reported, and the run is left alone for `retryMs`. */
  readonly execute: (run: QueuedRun) => Promise<void>;
  /**
   * How long a run is left alone after its driver threw (on a full disk, for example). The same for a queue that
   * could not be read: there is no busy loop.
   */
  readonly retryMs: number;
  readonly onError: (error: unknown) => void;
}

/** The dispatcher of one engine on one machine. */
export function createLocalDispatcher(options: LocalDispatcherOptions): Dispatcher {
  const working = createWorkingSet(options, () => rounds.again());
  const rounds = createCoalescedTask(async () => {
    const facts = await options.gather();
    // A run that began while the queue was being read is in both lists.
    const queued = facts.queued.filter((run) => !working.isTaken(run.id));
    // What waits behind a run that is left alone goes on waiting.
    const alone = facts.queued.filter((run) => working.isTaken(run.id)).map((run) => run.attemptId);
    const busyAttempts = new Set([...facts.busyAttempts, ...alone]);
    const schedule = scheduleRuns(
      { ...facts, queued, busyAttempts, active: working.active() },
      options.slotsOf,
    );
    for (const run of schedule.begin) if (!rounds.stopped()) working.begin(run);
    await options.tellWaiting(schedule.waiting);
  }, options);
  return {
    poke: rounds.again,
    active: working.active,
    releaseSlot: (runId) => {
      if (working.release(runId)) rounds.again();
    },
    stop: async () => {
      await rounds.stop();
      await working.settled();
    },
  };
}

/** The active runs, and those that are left alone for a while. */
function createWorkingSet(options: LocalDispatcherOptions, changed: () => void) {
  const slots = new Map<string, QueuedRun>();
  const executing = new Map<string, Promise<void>>();
  const troubled = new Set<string>();
  const over = (id: string) => {
    slots.delete(id);
    executing.delete(id);
    changed();
  };
  const leaveAlone = (id: string) => {
    troubled.add(id);
    const timer = setTimeout(() => {
      troubled.delete(id);
      changed();
    }, options.retryMs);
    timer.unref();
  };
  return {
    active: () => [...slots.values()],
    isTaken: (id: string) => executing.has(id) || troubled.has(id),
    release: (id: string) => slots.delete(id),
    settled: () => Promise.all(executing.values()),
    begin: (run: QueuedRun) => {
      slots.set(run.id, run);
      const done = options.execute(run).catch((error: unknown) => {
        options.onError(error);
        leaveAlone(run.id);
      });
      executing.set(
        run.id,
        done.then(() => over(run.id)),
      );
    },
  };
}

/** One check at a time. A request during a check causes one more, and a failed check is repeated after a while. */
function createCoalescedTask(
  round: () => Promise<void>,
  { onError, retryMs }: Pick<LocalDispatcherOptions, "onError" | "retryMs">,
) {
  let inProgress: Promise<void> | null = null;
  let wanted = false;
  let stopped = false;
  let retry: ReturnType<typeof setTimeout> | undefined;
  const runWhileWanted = async () => {
    while (wanted && !stopped) {
      wanted = false;
      await round().catch((error: unknown) => {
        onError(error);
        clearTimeout(retry);
        retry = setTimeout(again, retryMs).unref();
      });
    }
  };
  const again = () => {
    wanted = true;
    if (inProgress !== null || stopped) return;
    inProgress = runWhileWanted().finally(() => {
      inProgress = null;
      if (wanted) again();
    });
  };
  return {
    again,
    stopped: () => stopped,
    stop: async () => {
      stopped = true;
      await inProgress;
    },
  };
}
