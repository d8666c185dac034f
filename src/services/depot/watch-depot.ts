/** Copies into the depot what the runs of this engine change, and tries again what it did not take. */
import { createHash } from "node:crypto";
import { hasBegun } from "../../domain/run/waiting.ts";
import { withCheckBefore } from "../../git/runner/git-variants.ts";
import { getRun } from "../../storage/tables/runs.ts";
import { readDepot, setDepotKey } from "../../storage/team/depot.ts";
import { unprotectedOf } from "../../storage/team/protections.ts";
import { transact } from "../../storage/transact.ts";
import { EngineStopping } from "../core/context.ts";
import type { Uses } from "../core/context-parts.ts";
import { ownWorker } from "../core/held-elsewhere.ts";
import { type HeldRun, type ProtectContext, protectAttempt } from "./protect-attempt.ts";

type WatchContext = ProtectContext & Uses<"leases" | "fence" | "timing" | "reportFault">;

/** A depot that is away is asked at growing intervals, up to so many times the usual one. */
const MAX_PAUSE = 6;

/** From now on this worker is let into the depot by the key of this start. */
export async function showDepotKey({
  db,
  owner,
  ownDepot,
}: Uses<"db" | "owner" | "ownDepot">): Promise<void> {
  const worker = ownWorker({ db, owner });
  if (worker === null) return;
  const hash = hashOfKey(ownDepot.key);
  await transact(db, (trx) => setDepotKey(trx, { worker, hash }));
}

export function hashOfKey(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

/** Nothing is copied on an SQLite, which has no depot. */
export function watchDepot(context: WatchContext): { stop(): Promise<void> } {
  const worker = ownWorker(context);
  if (worker === null) return { stop: async () => undefined };
  /** By attempt: the last copy that was begun or waits for its turn. */
  const busy = new Map<string, Promise<void>>();
  const failed = new Map<string, { readonly times: number; readonly until: number }>();
  const protect = (attempt: string, lease: HeldRun, asked = false): Promise<void> => {
    if ((failed.get(attempt)?.until ?? 0) > performance.now()) return Promise.resolve();
    const work = protectAttempt(fenced(context, lease), attempt, { lease, asked })
      .then((came) => {
        const times = came === "unprotected" ? (failed.get(attempt)?.times ?? 0) + 1 : 0;
        const pause = context.timing.depotMs * Math.min(2 ** (times - 1) - 0.5, MAX_PAUSE);
        if (times === 0) failed.delete(attempt);
        else failed.set(attempt, { times, until: performance.now() + pause });
      })
      .catch((error) => context.reportFault("copying an attempt into the depot", error))
      .finally(() => {
        if (busy.get(attempt) === work) busy.delete(attempt);
      });
    busy.set(attempt, work);
    return work;
  };
  const look = async () => {
    const held = await runsHere(context);
    for (const [attempt, run] of held) if (!busy.has(attempt)) void protect(attempt, run);
    for (const attempt of await unprotectedOf(context.db.reader, worker))
      if (!held.has(attempt) && !busy.has(attempt)) await protect(attempt, null);
  };
  const nudged = async (attempt: string, asked: boolean) => {
    if ((await readDepot(context.db.reader)) === null) return;
    await protect(attempt, (await runsHere(context)).get(attempt) ?? null, asked);
  };
  context.ownDepot.nudge = (attempt, taken) =>
    void nudged(attempt, taken !== undefined).catch((error) =>
      context.reportFault("copying into the depot", error),
    );
  let isLooking = false;
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    look()
      .catch((error) => context.reportFault("copying into the depot", error))
      .finally(() => {
        isLooking = false;
      });
  }, context.timing.depotMs);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      context.ownDepot.nudge = () => undefined;
      await Promise.all(busy.values());
    },
  };
}

/** The same context, whose git is not started once another worker may have the run (ADR 0093). */
function fenced(context: WatchContext, lease: HeldRun): ProtectContext {
  if (lease === null) return context;
  const git = withCheckBefore(context.git, () => {
    if (context.fence.isOver(lease.id)) throw new EngineStopping();
  });
  return { ...context, git };
}

/** By attempt: the begun run that this engine drives. None if there is no depot. */
async function runsHere({ db, leases }: Uses<"db" | "leases">): Promise<ReadonlyMap<string, HeldRun>> {
  const held = [...leases].flatMap(([id, { epoch }]) => (epoch === null ? [] : [{ id, epoch }]));
  if (held.length === 0 || (await readDepot(db.reader)) === null) return new Map();
  const found = await Promise.all(
    held.map(async (lease) => ({ lease, run: await getRun(db.reader, lease.id) })),
  );
  return new Map(
    found.flatMap(({ lease, run }) =>
      run !== null && hasBegun(run) && run.kind !== "review" ? [[run.attemptId, lease] as const] : [],
    ),
  );
}
