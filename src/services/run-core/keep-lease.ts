/** Holds the lease of a run while this engine drives it, and says when another owner has it. */
import type { Run } from "../../domain/run/run.ts";
import { hasSharedRoom, type SharedSlot, type Slots } from "../../domain/run/scheduling.ts";
import { hasBegun } from "../../domain/run/waiting.ts";
import { runsOfOthers } from "../../storage/queries/rows-of-worker.ts";
import type { WriteTransaction } from "../../storage/schema/schema.ts";
import { releaseLease, renewLeases, slotsInUse, takeLease } from "../../storage/tables/run-lease.ts";
import { isItsTurn } from "../../storage/tables/run-queue.ts";
import { getRun } from "../../storage/tables/runs.ts";
import { standingOf } from "../../storage/team/drains.ts";
import { movableRuns } from "../../storage/team/movable-runs.ts";
import { transact } from "../../storage/transact.ts";
import { EngineStopping } from "../core/context.ts";
import type { Uses } from "../core/context-parts.ts";
import { isLeftToOthers, ownWorker } from "../core/held-elsewhere.ts";

export type LeaseContext = Uses<
  "db" | "owner" | "timing" | "leases" | "fence" | "engineStop" | "reportFault"
>;

/** What a run counts for while it works, and the limits of its repository as this worker knows them. */
export interface WantedSlot extends SharedSlot {
  readonly limits: Slots;
}

interface TakeOptions {
  readonly inTurn?: true;
  /** Absent if it is to start nothing. */
  readonly slot?: WantedSlot;
}

interface HeldLease {
  readonly epoch: number;
  /** Aborts when another owner has taken the run: from then on, nothing may be done for it. */
  readonly lost: AbortSignal;
  /** Stands before each git of the run. Throws `EngineStopping` if another owner may have taken the run by now. */
  check(): void;
  /** Does nothing at the end of an engine whose agent works on: others take such a run once the lease has expired. */
  release(): Promise<void>;
}

/**
 * Takes the lease, which `watchLeases` renews until it is released. Null if the run is gone, has ended, or has another
 * owner, also within this process. `inTurn` means that it is to begin or to go on: null also if another worker drives it
 * by now, or another run of its queue comes first. The same if this worker drains, or no room is left for its `slot`.
 */
export async function keepLease(
  context: LeaseContext,
  runId: string,
  options: TakeOptions = {},
): Promise<HeldLease | null> {
  const { leases, fence } = context;
  if (leases.has(runId)) return null;
  const lost = new AbortController();
  leases.set(runId, { epoch: null, lost });
  const epoch = await take(context, runId, options).catch((error: unknown) => {
    leases.delete(runId);
    throw error;
  });
  if (epoch === null) {
    leases.delete(runId);
    return null;
  }
  leases.set(runId, { epoch, lost });
  return {
    epoch,
    lost: lost.signal,
    check: () => {
      if (!fence.isOver(runId)) return;
      lost.abort();
      throw new EngineStopping();
    },
    release: async () => {
      leases.delete(runId);
      if (context.engineStop.aborted && fence.mayMove(runId)) return;
      fence.forget(runId);
      await transact(context.db, (trx) => releaseLease(trx, { id: runId, epoch }));
    },
  };
}

async function take(
  { db, owner, timing, fence }: LeaseContext,
  runId: string,
  { inTurn, slot }: TakeOptions,
): Promise<number | null> {
  let epoch: number | null = null;
  await fence.take(runId, () =>
    transact(db, async (trx) => {
      epoch = null;
      const run = inTurn === true ? await getRun(trx, runId) : null;
      if (run !== null && !(await mayBegin({ db, owner }, trx, { run, slot: slot ?? null }))) return null;
      epoch = await takeLease(trx, { id: runId, owner, forMs: timing.leaseMs, slot: slot ?? null });
      if (epoch === null) return null;
      return { mayMove: (await movableRuns(trx, owner)).has(runId) };
    }),
  );
  return epoch;
}

/**
 * Whether it is the turn of the run, its worker begins runs, and the limits have room. What has begun goes on. Such
 * transactions come one after the other, so no two workers pass a limit together.
 */
async function mayBegin(
  context: Uses<"db" | "owner">,
  trx: WriteTransaction,
  { run, slot }: { readonly run: Run; readonly slot: WantedSlot | null },
): Promise<boolean> {
  const own = ownWorker(context);
  // It may have moved since the queue was read. What has begun may, too, if its lease was over.
  if (own !== null && (await isOthers(trx, run, own))) return false;
  if (own !== null && !hasBegun(run)) {
    if (!(await standingOf(trx, own)).begins) return false;
    if (slot !== null && !hasSharedRoom(slot, await slotsInUse(trx), slot.limits)) return false;
  }
  return isItsTurn(trx, run);
}

async function isOthers(trx: WriteTransaction, run: Run, own: string): Promise<boolean> {
  const whose = (await runsOfOthers(trx, { than: own, among: [run.id] })).get(run.id);
  return whose !== undefined && isLeftToOthers({ run, ...whose }, own);
}

/** So often within its length a lease is renewed: some statements may fail. */
const RENEWALS = 6;

/** Renews all leases of this engine, and tells the drivers of those that another owner has taken. */
export function watchLeases(context: LeaseContext): { stop(): void } {
  let isRenewing = false;
  const timer = setInterval(() => {
    if (isRenewing) return;
    isRenewing = true;
    renewHeld(context)
      .catch((error) => context.reportFault("renewing the leases", error))
      .finally(() => {
        isRenewing = false;
      });
  }, context.timing.leaseMs / RENEWALS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

async function renewHeld({ db, owner, timing, leases, fence }: LeaseContext): Promise<void> {
  const held = [...leases].filter(([, { epoch }]) => epoch !== null);
  // On a Postgres the same statement shows that this worker is there.
  if (held.length === 0 && db.kind === "sqlite") return;
  await fence.renew(async () => {
    const renewed = await renewLeases(db, { owner, forMs: timing.leaseMs });
    for (const [runId, { epoch, lost }] of held) if (renewed.get(runId) !== epoch) lost.abort();
    const movable = await movableRuns(db.reader, owner);
    return new Map([...renewed.keys()].map((id) => [id, { mayMove: movable.has(id) }]));
  });
}
