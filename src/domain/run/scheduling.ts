/** Decides which queued runs may begin now, given the limits and the active runs, and what the others wait for. */
import { type Waiting, waitingFor } from "./waiting.ts";

export interface QueuedRun {
  readonly id: string;
  readonly attemptId: string;
  readonly repositoryId: string;
  /** For the limits, what has the same key is one repository (`repository-key.ts`). */
  readonly repositoryKey: string;
  /** Runs with the same login share the provider's rate limits; null for runs without an agent. */
  readonly login: string | null;
  /** It had begun before the engine was restarted: it goes on despite the limits, and counts. */
  readonly begun: boolean;
  /** A follow-up that was sent before a failure waits for a person. */
  readonly held: boolean;
  /** Labels that this worker lacks, of an attempt that has not begun; absent for none. */
  readonly lacking?: readonly string[];
  /** Its clone went for room and could not be made anew; absent if it is there, or may be tried now. */
  readonly lacksClone?: { readonly until: string; readonly why: string };
  /** A person lets it try once, although its login is held. */
  readonly triesNow?: boolean;
}

export interface Slots {
  readonly parallel: number;
  readonly perRepository: number;
  readonly perLogin: number;
}

/** What a run counts for while it works, beside its worker's own slots. */
export type SharedSlot = Pick<QueuedRun, "repositoryKey" | "login">;

export interface SchedulingFacts {
  /** In the order in which they should begin. */
  readonly queued: readonly QueuedRun[];
  /** Runs that hold a slot now. */
  readonly active: readonly QueuedRun[];
  /** What works on other workers: it counts for repositories and logins, and takes no slot of this worker. */
  readonly elsewhere: readonly SharedSlot[];
  /** Attempts that have an unfinished run besides the queued ones (a waiting run holds no slot). */
  readonly busyAttempts: ReadonlySet<string>;
  /** Logins that must not be used before their limit resets, with that time (UTC ISO). */
  readonly heldLogins: ReadonlyMap<string, string>;
  /** Below the floor nothing new begins. */
  readonly diskBelowFloor: boolean;
  /** Why this worker begins nothing new: a person said so, or its clock is far off. Null if it begins runs. */
  readonly beginsNothing: Extract<Waiting["reason"], "draining" | "clock_off"> | null;
}

export interface Schedule {
  /** The runs to begin, in order. */
  readonly begin: readonly QueuedRun[];
  /** The others, without those that are held for a person. */
  readonly waiting: readonly { readonly run: QueuedRun; readonly waits: Waiting }[];
}

/**
 * A waiting run never blocks a run that can begin. Limits may differ by repository, so `slotsOf` gives those of each
 * run.
 */
export function scheduleRuns(facts: SchedulingFacts, slotsOf: (run: QueuedRun) => Slots): Schedule {
  const taken = new SlotCount(facts.active, facts.elsewhere);
  const busy = new Set([...facts.busyAttempts, ...facts.active.map((run) => run.attemptId)]);
  const begin: QueuedRun[] = [];
  const waiting: Schedule["waiting"][number][] = [];
  for (const run of facts.queued) {
    // Held runs are skipped. Of the others, the earliest of an attempt goes first, even if it has to wait.
    if (run.held && !run.begun) continue;
    const waits = busy.has(run.attemptId)
      ? waitingFor("attempt")
      : run.begun
        ? lackOfClone(run)
        : whatKeeps(run, facts, taken.fullLimit(run, slotsOf(run)));
    busy.add(run.attemptId);
    if (waits !== null) waiting.push({ run, waits });
    else {
      taken.add(run);
      begin.push(run);
    }
  }
  return { begin, waiting };
}

/**
 * What keeps a run from beginning. If there are several reasons, one that does not pass with the end of another run.
 */
function whatKeeps(run: QueuedRun, facts: SchedulingFacts, full: Waiting | null): Waiting | null {
  if (run.lacking !== undefined) return waitingFor("labels", { labels: run.lacking });
  if (facts.beginsNothing !== null) return waitingFor(facts.beginsNothing);
  if (facts.diskBelowFloor) return waitingFor("disk");
  const lack = lackOfClone(run);
  if (lack !== null) return lack;
  const until = run.login === null || run.triesNow ? undefined : facts.heldLogins.get(run.login);
  return until === undefined ? full : waitingFor("login", { until });
}

function lackOfClone({ lacksClone }: QueuedRun): Waiting | null {
  return lacksClone === undefined ? null : waitingFor("clone", lacksClone);
}

/** Whether those that work on all workers leave room for a run. A worker counts its own slots by itself. */
export function hasSharedRoom(wanted: SharedSlot, working: readonly SharedSlot[], limits: Slots): boolean {
  const ofWorker = { ...limits, parallel: Number.POSITIVE_INFINITY };
  return new SlotCount([], working).fullLimit(wanted, ofWorker) === null;
}

/** The disk floor in bytes: the smaller of 2 GiB and 5 % of the disk. */
export function diskFloor(totalBytes: number): number {
  return Math.min(2 * 1024 ** 3, totalBytes * 0.05);
}

class SlotCount {
  private total = 0;
  private readonly byRepository = new Map<string, number>();
  private readonly byLogin = new Map<string, number>();

  constructor(active: readonly QueuedRun[], elsewhere: readonly SharedSlot[]) {
    for (const run of active) this.add(run);
    for (const slot of elsewhere) this.share(slot);
  }

  add(run: QueuedRun): void {
    this.total += 1;
    this.share(run);
  }

  private share({ repositoryKey, login }: SharedSlot): void {
    this.byRepository.set(repositoryKey, (this.byRepository.get(repositoryKey) ?? 0) + 1);
    if (login !== null) this.byLogin.set(login, (this.byLogin.get(login) ?? 0) + 1);
  }

  /** The widest limit that has no room for the run; null if each has. */
  fullLimit(run: SharedSlot, { parallel, perRepository, perLogin }: Slots): Waiting | null {
    if (this.total >= parallel) return waitingFor("parallel", { limit: parallel });
    if ((this.byRepository.get(run.repositoryKey) ?? 0) >= perRepository)
      return waitingFor("per_repository", { limit: perRepository });
    if (run.login !== null && (this.byLogin.get(run.login) ?? 0) >= perLogin)
      return waitingFor("per_login", { limit: perLogin });
    return null;
  }
}
