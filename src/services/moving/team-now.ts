/** Gathers what waits on all workers, and what each of them could begin now. */
import { keyOfAddress } from "../../domain/repository/clone-address.ts";
import { waiting } from "../../domain/run/waiting.ts";
import type { MovableRun, TeamWorker, ToldWaiting } from "../../domain/worker/waiting-runs.ts";
import { stateNow, takesRuns } from "../../domain/worker/worker.ts";
import type { Reader } from "../../storage/schema/schema.ts";
import { latestFacts } from "../../storage/tables/facts.ts";
import { slotsInUse } from "../../storage/tables/run-lease.ts";
import { clonesOfWorkers } from "../../storage/team/clones-of-workers.ts";
import { waitingRuns } from "../../storage/team/waiting-runs.ts";
import { listWorkers, workersThere } from "../../storage/team/workers.ts";
import { WAITS } from "../queue/tell-waiting.ts";

type Waits = Awaited<ReturnType<typeof waitingRuns>>[number] & { readonly waits: ToldWaiting | null };

export interface TeamNow {
  readonly workers: readonly TeamWorker[];
  /** In the order of the queue. */
  readonly movable: readonly MovableRun[];
  /** By worker: a run that waits for a limit that counts on all workers. */
  readonly waitForShared: ReadonlyMap<string, string>;
  readonly known: Known;
}

/** What no transaction of the team changes. */
interface Known {
  readonly there: Awaited<ReturnType<typeof workersThere>>;
  readonly clones: Awaited<ReturnType<typeof clonesOfWorkers>>;
}

/** What one worker needs to know again of one run, after it has read all. */
interface Narrow {
  readonly known: Known;
  readonly run: string;
  readonly taker: string;
  readonly holder: string;
}

/**
 * `only` decides once more in a transaction, by a few rows: all other writers wait for it. It knows of no other run that
 * could move, since the order of the queue was looked at before.
 */
export async function teamNow(db: Reader, only: Narrow | null = null): Promise<TeamNow> {
  const rows = await waitingRuns(db, only === null ? null : { run: only.run, worker: only.taker });
  const facts = await latestFacts(db, { kind: WAITS, runIds: rows.map(({ run }) => run.id) });
  const runs = rows.map((row) => ({ ...row, waits: toldWaiting(facts.get(row.run.id)?.data) }));
  const shared = runs.filter(({ waits }) => waits !== null && SHARED.has(waits.reason));
  const known = only?.known ?? { there: await workersThere(db), clones: await clonesOfWorkers(db) };
  const among = only === null ? null : [only.taker, only.holder];
  return {
    known,
    workers: await workersNow(db, { runs, known, among }),
    movable: runs.flatMap(movable),
    waitForShared: new Map(shared.toReversed().map(({ worker, run }) => [worker, run.id])),
  };
}

const SHARED: ReadonlySet<ToldWaiting["reason"]> = new Set(["per_repository", "per_login"]);

function toldWaiting(data: Readonly<Record<string, unknown>> | undefined): ToldWaiting | null {
  const told = waiting.safeParse(data).data;
  return told === undefined ? null : { reason: told.reason, sharedLogin: data?.shared_login === true };
}

/** The only run of its attempt, as its creator asked for it. */
function movable({
  run,
  runsOfAttempt,
  address,
  worker,
  agent,
  labels,
  needs,
  waits,
}: Waits): readonly MovableRun[] {
  const { mayMove } = run.options;
  const repository = address === null ? null : keyOfAddress(address);
  if (run.phase !== "queued" || runsOfAttempt > 1 || mayMove === undefined || repository === null) return [];
  const { refusedBy, waitsAt = [] } = mayMove;
  return [{ id: run.id, worker, waits, agent, repository, labels, needs, refusedBy, waitsAt }];
}

interface WorkersToRead {
  readonly runs: readonly Waits[];
  readonly known: Known;
  /** Null for all workers. */
  readonly among: readonly string[] | null;
}

async function workersNow(
  db: Reader,
  { runs, known: { there, clones }, among }: WorkersToRead,
): Promise<readonly TeamWorker[]> {
  const working = Map.groupBy(await slotsInUse(db), ({ worker }) => worker);
  // What waits for something else takes no slot now.
  const next = runs.filter(
    ({ run, waits }) => run.phase === "queued" && (waits === null || waits.reason === "parallel"),
  );
  const queued = Map.groupBy(next, ({ worker }) => worker);
  return (await listWorkers(db, among)).map(
    ({ id, slots, agents, labels, protocol, state, seenAgoMs, ...worker }) => ({
      ...{ id, slots, agents, labels, protocol },
      state: stateNow(state, seenAgoMs),
      isThere: there.has(id),
      drains: !takesRuns(worker),
      busy: (working.get(id)?.length ?? 0) + (queued.get(id)?.length ?? 0),
      repositories: new Set((clones.get(id) ?? []).flatMap((address) => keyOfAddress(address) ?? [])),
    }),
  );
}
