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

interface TeamNow {
  readonly workers: readonly TeamWorker[];
  /** In the order of the queue. */
  readonly movable: readonly MovableRun[];
  /** By worker: a run that waits for a limit that counts on all workers. */
  readonly waitForShared: ReadonlyMap<string, string>;
}

/** In a transaction too, so that what was decided before can be decided once more. */
export async function teamNow(db: Reader): Promise<TeamNow> {
  const rows = await waitingRuns(db);
  const facts = await latestFacts(db, { kind: WAITS, runIds: rows.map(({ run }) => run.id) });
  const runs = rows.map((row) => ({ ...row, waits: toldWaiting(facts.get(row.run.id)?.data) }));
  const shared = runs.filter(({ waits }) => waits !== null && SHARED.has(waits.reason));
  return {
    workers: await workersNow(db, runs),
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
  return [{ id: run.id, worker, waits, agent, repository, labels, needs, refusedBy: mayMove.refusedBy }];
}

async function workersNow(db: Reader, runs: readonly Waits[]): Promise<readonly TeamWorker[]> {
  const working = Map.groupBy(await slotsInUse(db), ({ worker }) => worker);
  // What waits for something else takes no slot now.
  const next = runs.filter(
    ({ run, waits }) => run.phase === "queued" && (waits === null || waits.reason === "parallel"),
  );
  const queued = Map.groupBy(next, ({ worker }) => worker);
  const there = await workersThere(db);
  const clones = await clonesOfWorkers(db);
  return (await listWorkers(db)).map(
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
