/** Decides which queued runs may begin now, given the limits and what goes on already. */

export interface QueuedRun {
  readonly id: string;
  readonly attemptId: string;
  readonly repositoryId: string;
  /** Runs with the same login share the provider's rate limits; null for runs without an agent. */
  readonly login: string | null;
  /** It had begun before the engine was started again: it goes on whatever the limits say, and counts. */
  readonly begun: boolean;
  /** Follow-ups that were sent before a failure wait for a person. */
  readonly held: boolean;
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
  /** Logins that must not be used before their limit resets. */
  readonly heldLogins: ReadonlySet<string>;
  /** Below the floor nothing new begins. */
  readonly diskBelowFloor: boolean;
}

/**
 * The ids of the runs to begin, in order. A run that has to wait never blocks another that need not.
 * Limits may differ by repository, so each run is asked for its own.
 */
export function pickRuns(facts: SchedulingFacts, slotsOf: (run: QueuedRun) => Slots): string[] {
  const taken = new SlotCount(facts.active);
  const busy = new Set([...facts.busyAttempts, ...facts.active.map((run) => run.attemptId)]);
  const picked: string[] = [];
  for (const run of facts.queued) {
    // What is held stands aside; of the others the earliest of an attempt goes first, whether it may begin now or not.
    if (run.held && !run.begun) continue;
    const first = !busy.has(run.attemptId);
    busy.add(run.attemptId);
    if (!first) continue;
    if (!run.begun && !mayBegin(run, facts, taken.hasRoomFor(run, slotsOf(run)))) continue;
    taken.add(run);
    picked.push(run.id);
  }
  return picked;
}

function mayBegin(run: QueuedRun, facts: SchedulingFacts, hasRoom: boolean): boolean {
  const loginHeld = run.login !== null && facts.heldLogins.has(run.login);
  return hasRoom && !loginHeld && !facts.diskBelowFloor;
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
    this.byRepository.set(run.repositoryId, (this.byRepository.get(run.repositoryId) ?? 0) + 1);
    if (run.login !== null) this.byLogin.set(run.login, (this.byLogin.get(run.login) ?? 0) + 1);
  }

  hasRoomFor(run: QueuedRun, slots: Slots): boolean {
    return (
      this.total < slots.parallel &&
      (this.byRepository.get(run.repositoryId) ?? 0) < slots.perRepository &&
      (run.login === null || (this.byLogin.get(run.login) ?? 0) < slots.perLogin)
    );
  }
}
