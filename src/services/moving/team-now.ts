/** Gathers what each worker could begin now, and what may move. It reads no more than it needs (ADR 0105). */
import { keyOfAddress } from "../../domain/repository/clone-address.ts";
import {
  type MovableRun,
  offersOf,
  readWaiting,
  roomAt,
  type TeamWorker,
  withPlanned,
} from "../../domain/worker/waiting-runs.ts";
import { stateNow, takesRuns } from "../../domain/worker/worker.ts";
import type { Reader } from "../../storage/schema/schema.ts";
import { slotsInUse } from "../../storage/tables/run-lease.ts";
import { clonesOfWorkers } from "../../storage/team/clones-of-workers.ts";
import { runsBeforeSlots, type WaitingRun, waitingRuns } from "../../storage/team/waiting-runs.ts";
import { seenWorkers, workersThere } from "../../storage/team/workers.ts";
import type { Uses } from "../core/context-parts.ts";

/** What no transaction of the team changes. */
export interface Known {
  readonly there: Awaited<ReturnType<typeof workersThere>>;
  readonly clones: Awaited<ReturnType<typeof clonesOfWorkers>>;
}

export async function readKnown(db: Reader): Promise<Known> {
  return { there: await workersThere(db), clones: await clonesOfWorkers(db) };
}

function movable({ mayMove, waitsFor, address, ...run }: WaitingRun): readonly MovableRun[] {
  const repository = keyOfAddress(address);
  if (repository === null) return [];
  const { refusedBy, unclonedAt = [], waitsAt = [] } = mayMove;
  return [{ ...run, repository, refusedBy, unclonedAt, waitsAt, waits: readWaiting(waitsFor) }];
}

/** Runs of the queue that are read at once. */
const PAGE = 200;

/** So long a run is offered to the same worker, although that one may decline it. */
const TURN_MS = 30_000;

/**
 * Which worker is to be told of which run. `planned` are runs that would stand at the end of the queue. Nothing of the
 * queue is read if no worker has room.
 */
export async function offersNow(
  { db: { reader: db }, clock }: Uses<"db" | "clock">,
  planned: readonly MovableRun[] = [],
) {
  const turn = Math.floor(clock.now().getTime() / TURN_MS);
  // Who is there, and has a clone, is asked only if it matters.
  const roomy = await workersNow(db, { among: null, known: null });
  if (roomy.every((worker) => roomAt(worker) === 0)) return [];
  const known = await readKnown(db);
  const team = roomy.map((worker) => asKnown(worker, known));
  const room = team.reduce((sum, worker) => sum + roomAt(worker), 0);
  if (room === 0) return [];
  const runs: MovableRun[] = [];
  for (let behind: number | null = 0; ; ) {
    const page = await waitingRuns(db, { behind, limit: PAGE });
    runs.push(...page.runs.flatMap(movable));
    const offers = offersOf(team, page.last === null ? withPlanned(runs, planned) : runs, turn);
    if (page.last === null || new Set(offers.map(({ run }) => run)).size >= room) return offers;
    behind = page.last;
  }
}

/** One run, as one worker sees it that may take it: a few rows. */
export interface Look {
  readonly run: string;
  readonly taker: string;
}

/** The workers are the taker, and whoever drives the run now; all if `taker` is null. Null if the run may not move. */
export async function lookNow(
  db: Reader,
  { run, taker }: { readonly run: string; readonly taker: string | null },
  known: Known,
): Promise<{ readonly team: readonly TeamWorker[]; readonly run: MovableRun } | null> {
  const found = (await waitingRuns(db, { run })).runs.flatMap(movable)[0];
  if (found === undefined) return null;
  return {
    team: await workersNow(db, { among: taker === null ? null : [taker, found.worker], known }),
    run: found,
  };
}

interface WorkersToRead {
  /** Null for all workers. */
  readonly among: readonly string[] | null;
  /** Null: all count as there, without clones. */
  readonly known: Known | null;
}

async function workersNow(db: Reader, { among, known }: WorkersToRead): Promise<readonly TeamWorker[]> {
  const working = Map.groupBy(await slotsInUse(db), ({ worker }) => worker);
  const soon = await runsBeforeSlots(db, among);
  const all = (await seenWorkers(db, among)).map(
    ({ id, slots, agents, labels, protocol, state, seenAgoMs, ...worker }): TeamWorker => ({
      ...{ id, slots, agents, labels, protocol },
      state: stateNow(state, seenAgoMs),
      drains: !takesRuns(worker),
      busy: (working.get(id)?.length ?? 0) + (soon.get(id) ?? 0),
      ...{ isThere: true, repositories: new Set() },
    }),
  );
  return known === null ? all : all.map((worker) => asKnown(worker, known));
}

function asKnown(worker: TeamWorker, { there, clones }: Known): TeamWorker {
  const addresses = clones.get(worker.id) ?? [];
  return {
    ...worker,
    isThere: there.has(worker.id),
    repositories: new Set(addresses.flatMap((address) => keyOfAddress(address) ?? [])),
  };
}
