/** Decides which queued runs may begin now, given the limits and the active runs, and what the others wait for. */
import { type Waiting, waitingFor } from "./waiting.ts";

export interface QueuedRun {
  readonly id: string;
  readonly attemptId: string;
  readonly repositoryId: string;
  /** The directory of objects and refs. For the limits, checkouts that share it are one repository. */
  readonly commonDir: string;
  /** Runs with the same login share the provider's rate limits; null for runs without an agent. */
  readonly login: string | null;
  /** It had begun before the engine was restarted: it goes on despite the limits, and counts. */
  readonly begun: boolean;
  /** A follow-up that was sent before a failure waits for a person. */
  readonly held: boolean;
  /** A person lets it try once, although its login is held. */
  readonly triesNow?: boolean;
}

export interface Slots {
  readonly parallel: number;
  readonly perRepository: number;
  readonly perLogin: number;
}

export interface SchedulingFacts {
  /** In the order in which they should begin. */
  readonly queued: readonly QueuedRun[];
  /** Runs that hold a slot now. */
  readonly active: readonly QueuedRun[];
  /** Attempts that have an unfinished run besides the queued ones (a waiting run holds no slot). */
  readonly busyAttempts: ReadonlySet<string>;
  /** Logins that must not be used before their limit resets, with that time (UTC ISO). */
  readonly heldLogins: ReadonlyMap<string, string>;
  /** Below the floor nothing new begins. */
  readonly diskBelowFloor: boolean;
  /** A person said that this worker begins nothing new. */
  readonly draining: boolean;
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
  const taken = new SlotCount(facts.active);
  const busy = new Set([...facts.busyAttempts, ...facts.active.map((run) => run.attemptId)]);
  const begin: QueuedRun[] = [];
  const waiting: Schedule["waiting"][number][] = [];
  for (const run of facts.queued) {
    // Held runs are skipped. Of the others, the earliest of an attempt goes first, even if it has to wait.
    if (run.held && !run.begun) continue;
    const waits = busy.has(run.attemptId)
      ? waitingFor("attempt")
      : run.begun
        ? null
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
  if (facts.draining) return waitingFor("draining");
  if (facts.diskBelowFloor) return waitingFor("disk");
  const until = run.login === null || run.triesNow ? undefined : facts.heldLogins.get(run.login);
  return until === undefined ? full : waitingFor("login", { until });
}

/** The disk floor in bytes: the smaller of 2 GiB and 5 % of the disk. */
export function diskFloor(totalBytes: number): number {
  return Math.min(2 * 1024 ** 3, totalBytes * 0.05);
}

class SlotCount {
  private total = 0;
  private readonly byRepository = new Map<string, number>();
  private readonly byLogin = new Map<string, number>();

  constructor(active: readonly QueuedRun[]) {
    for (const run of active) this.add(run);
  }

  add(run: QueuedRun): void {
    this.total += 1;
    this.byRepository.set(run.commonDir, (this.byRepository.get(run.commonDir) ?? 0) + 1);
    if (run.login !== null) this.byLogin.set(run.login, (this.byLogin.get(run.login) ?? 0) + 1);
  }

  /** The widest limit that has no room for the run; null if each has. */
  fullLimit(run: QueuedRun, { parallel, perRepository, perLogin }: Slots): Waiting | null {
    if (this.total >= parallel) return waitingFor("parallel", { limit: parallel });
    if ((this.byRepository.get(run.commonDir) ?? 0) >= perRepository)
      return waitingFor("per_repository", { limit: perRepository });
    if (run.login !== null && (this.byLogin.get(run.login) ?? 0) >= perLogin)
      return waitingFor("per_login", { limit: perLogin });
    return null;
  }
}
