/** Knows until when runs are surely this worker's: tells their keepers by a file, and its own git (ADR 0093). */
import { existsSync } from "node:fs";
import { formatDeadlines } from "../../keeper/lease-deadline.ts";
import { localProcesses } from "../../utils/exec.ts";
import { writeFileAtomic } from "../../utils/files/atomic-write.ts";
import { createTurns } from "../../utils/locks/turns.ts";
import { bootMs } from "../../utils/time/boot-time.ts";

/** By run: whether another worker could take it once its lease has expired. */
type Runs = ReadonlyMap<string, { readonly mayMove: boolean }>;

export interface Fence {
  /** Runs the statement that takes a lease. Once this has ended, the keeper of the run knows of it. */
  take(runId: string, take: () => Promise<{ readonly mayMove: boolean } | null>): Promise<void>;
  /** Runs the statement that renews all leases of this worker. A run that it does not name is another's now. */
  renew(renew: () => Promise<Runs>): Promise<void>;
  /** The lease of the run was given back. */
  forget(runId: string): void;
  /** Whether another worker could take the run once its lease has expired. */
  mayMove(runId: string): boolean;
  /** Whether no git may be started for the run now. */
  isOver(runId: string): boolean;
}

/** The parts of a lease after which agents are stopped, and no git is started: 90 s and 100 s of 120 s. */
const AGENTS = 3 / 4;
const GIT = 5 / 6;

interface Known {
  readonly mayMove: boolean;
  /** When the statement that renewed its lease last was sent; null if another has it. In milliseconds of `bootMs`. */
  readonly since: number | null;
}

export function createFence({ file, leaseMs }: { readonly file: string; readonly leaseMs: number }): Fence {
  const known = new Map<string, Known>();
  const inTurn = createTurns();
  let isThere = existsSync(file);

  const agentsUntil = ({ mayMove, since }: Known) =>
    mayMove && since !== null ? Math.floor(since + leaseMs * AGENTS) : null;
  let next: Promise<void> | null = null;
  // Whoever comes before a write has begun shares it.
  const write = () => {
    next ??= inTurn(async () => {
      next = null;
      const own = [...known].filter(([, { since }]) => since !== null);
      if (!isThere && !own.some(([, { mayMove }]) => mayMove)) return;
      const deadlines = new Map(own.map(([id, run]) => [id, agentsUntil(run)]));
      await writeFileAtomic(file, formatDeadlines(await localProcesses.bootId(), deadlines));
      isThere = true;
    });
    return next;
  };
  const knewBefore = (id: string, sentAt: number) => (known.get(id)?.since ?? sentAt) <= sentAt;

  return {
    take: async (runId, take) => {
      const sentAt = bootMs();
      const taken = await take();
      if (taken === null) return;
      known.set(runId, { ...taken, since: sentAt });
      await write();
    },
    renew: async (renew) => {
      const before = [...known.keys()];
      const sentAt = bootMs();
      const runs = await renew();
      for (const [id, { mayMove }] of runs)
        if (knewBefore(id, sentAt)) known.set(id, { mayMove, since: sentAt });
      for (const id of before) {
        const run = known.get(id);
        if (run !== undefined && !runs.has(id) && knewBefore(id, sentAt))
          known.set(id, { ...run, since: null });
      }
      await write();
    },
    forget: (runId) => void known.delete(runId),
    mayMove: (runId) => known.get(runId)?.mayMove === true,
    isOver: (runId) => {
      const run = known.get(runId);
      if (run?.mayMove !== true) return false;
      return run.since === null || bootMs() >= run.since + leaseMs * GIT;
    },
  };
}
