/** Copies into the depot what the runs of this engine change, and tries again what it did not take. */
import { createHash } from "node:crypto";
import { hasBegun } from "../../domain/run/waiting.ts";
import { getRun } from "../../storage/tables/runs.ts";
import { readDepot, setDepotKey } from "../../storage/team/depot.ts";
import { transact } from "../../storage/transact.ts";
import type { Uses } from "../core/context-parts.ts";
import { ownWorker } from "../core/held-elsewhere.ts";
import { copyResting } from "./copy-resting.ts";
import type { HeldRun } from "./protect-attempt.ts";
import { createCopyTries, type TryContext } from "./try-copies.ts";

type WatchContext = TryContext & Uses<"leases">;

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
  const tries = createCopyTries(context);
  const settled = new Map<string, string>();
  const reporting = (act: Promise<void>) =>
    act.catch((error) => context.reportFault("copying into the depot", error));
  // A long push of the one never keeps the other from its time.
  const catchUp = onceAtATime((held: HeldRuns) =>
    reporting(copyResting(context, { worker, tries, settled }, held)),
  );
  const look = onceAtATime(() =>
    reporting(
      (async () => {
        const held = await runsHere(context);
        for (const [attempt, run] of held) if (tries.isDue(attempt)) void tries.begin(attempt, run);
        catchUp(held);
      })(),
    ),
  );
  const nudged = async (attempt: string, asked: boolean) => {
    if ((await readDepot(context.db.reader)) === null) return;
    await tries.begin(attempt, (await runsHere(context)).get(attempt) ?? null, asked);
  };
  context.ownDepot.nudge = (attempt, taken) => void reporting(nudged(attempt, taken !== undefined));
  const timer = setInterval(look, context.timing.depotMs);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      context.ownDepot.nudge = () => undefined;
      await tries.ended();
    },
  };
}

/** Does nothing while the former call is under way. */
function onceAtATime<Given extends readonly unknown[]>(
  act: (...given: Given) => Promise<void>,
): (...given: Given) => void {
  let isUnderWay = false;
  return (...given) => {
    if (isUnderWay) return;
    isUnderWay = true;
    void act(...given).finally(() => {
      isUnderWay = false;
    });
  };
}

type HeldRuns = ReadonlyMap<string, HeldRun>;

/** By attempt: the begun run that this engine drives. None if there is no depot. */
async function runsHere({ db, leases }: Uses<"db" | "leases">): Promise<HeldRuns> {
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
