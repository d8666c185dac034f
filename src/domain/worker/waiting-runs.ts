/** Decides which runs that wait on other workers one worker may take (ADR 0095). */
import type { Waiting } from "../run/waiting.ts";
import { hasLabels } from "./labels.ts";
import { CLONES_ITSELF } from "./protocol.ts";
import type { Worker } from "./worker.ts";

/** What a run waits for, as its worker told last. */
export interface ToldWaiting {
  readonly reason: Waiting["reason"];
  /** Its login is the same one on all workers. */
  readonly sharedLogin: boolean;
}

/** The first run of an attempt. Nothing of it has begun, and it may begin in another clone of its address. */
export interface MovableRun {
  readonly id: string;
  /** Who is to begin it. */
  readonly worker: string;
  /** Null if its worker told nothing. */
  readonly waits: ToldWaiting | null;
  /** The id of the agent that it needs. */
  readonly agent: string;
  /** The least protocol of a worker that may work on it. */
  readonly needs: number;
  /** The key of its repository's address. */
  readonly repository: string;
  /** Those that its worker has to have. */
  readonly labels: readonly string[];
  /** The workers that refused it. */
  readonly refusedBy: readonly string[];
  /** The workers that have its clone, and where it would wait too. */
  readonly waitsAt: readonly string[];
}

export interface TeamWorker
  extends Pick<Worker, "id" | "slots" | "agents" | "labels" | "protocol" | "state"> {
  /** Its engine holds its lock. */
  readonly isThere: boolean;
  /** Or begins nothing for another reason. */
  readonly drains: boolean;
  /** How many runs work there, or are about to. */
  readonly busy: number;
  /** The keys of the addresses of which it has a clone. */
  readonly repositories: ReadonlySet<string>;
}

/**
 * As many as have a slot there at once, in the order of `runs`, which is that of the queue. What its own worker can begin
 * stays there, and so does what would wait elsewhere too. Workers with a clone go first: one without gets what they
 * have no slot for.
 */
export function runsFor<Run extends MovableRun>(
  worker: TeamWorker,
  team: readonly TeamWorker[],
  runs: readonly Run[],
): readonly Run[] {
  const room = roomAt(worker);
  if (room === 0) return [];
  const free = runs.filter((run) => {
    const holder = team.find(({ id }) => id === run.worker);
    return holder !== undefined && (!goesOnAt(holder, run) || endsElsewhere(run.waits));
  });
  const wanted = free.filter((run) => fits(worker, run));
  const isOwn = ({ repository }: Run) => worker.repositories.has(repository);
  const takers = wanted.every(isOwn) ? null : takersOf(team, free);
  return wanted.filter((run) => isOwn(run) || takers?.get(run) === worker.id).slice(0, room);
}

/** Whether a worker that has no clone could begin it, if those with a clone do not. */
export function isForOneWithoutClone(run: MovableRun, team: readonly TeamWorker[]): boolean {
  return team.some((one) => roomAt(one) > 0 && !one.repositories.has(run.repository) && fits(one, run));
}

/**
 * Who would begin each, in the order of the queue: one with a clone, else one that clones first. Only one of those is asked,
 * so that a single run makes a single clone.
 */
function takersOf<Run extends MovableRun>(
  team: readonly TeamWorker[],
  runs: readonly Run[],
): ReadonlyMap<Run, string> {
  const rooms = new Map(team.map((one) => [one.id, roomAt(one)]));
  const takers = new Map<Run, string>();
  const slots = [...rooms.values()].reduce((sum, room) => sum + room, 0);
  for (const run of runs) {
    if (takers.size === slots) break;
    const able = team.filter(
      (one) => (rooms.get(one.id) ?? 0) > 0 && fits(one, run) && !run.waitsAt.includes(one.id),
    );
    const taker = able.find(({ repositories }) => repositories.has(run.repository)) ?? able[0];
    if (taker === undefined) continue;
    takers.set(run, taker.id);
    rooms.set(taker.id, (rooms.get(taker.id) ?? 0) - 1);
  }
  return takers;
}

/** How many runs it could begin now. */
function roomAt(worker: TeamWorker): number {
  return worker.isThere && begins(worker) ? Math.max(0, worker.slots - worker.busy) : 0;
}

/** Whether it begins runs without a person, or a start of its engine. */
function begins({ state, drains }: TeamWorker): boolean {
  return state === "ready" && !drains;
}

/** Its own worker begins it in time. An older program would never do so. */
function goesOnAt(holder: TeamWorker, { needs }: MovableRun): boolean {
  return begins(holder) && holder.protocol >= needs;
}

function fits(worker: TeamWorker, run: MovableRun): boolean {
  const { worker: holder, agent, needs, repository, labels, refusedBy } = run;
  return (
    worker.id !== holder &&
    (worker.repositories.has(repository) || worker.protocol >= CLONES_ITSELF) &&
    worker.agents.includes(agent) &&
    hasLabels(worker.labels, labels) &&
    worker.protocol >= needs &&
    !refusedBy.includes(worker.id)
  );
}

/** Whether another worker may have what is waited for. What counts on all workers is as full there. */
export function endsElsewhere(waits: ToldWaiting | null): boolean {
  switch (waits?.reason) {
    case "parallel":
    case "disk":
    case "clone":
    case "labels":
      return true;
    case "per_login":
      return !waits.sharedLogin;
    default:
      return false;
  }
}
