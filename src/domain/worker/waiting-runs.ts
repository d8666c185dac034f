/** Decides which runs that wait on other workers one worker may take (ADR 0095). */
import { type Waiting, waitReason } from "../run/waiting.ts";
import { hasLabels } from "./labels.ts";
import { CLONES_ITSELF } from "./protocol.ts";
import type { Worker } from "./worker.ts";

/** What a run waits for, as its worker told last. */
interface ToldWaiting {
  readonly reason: Waiting["reason"];
  /** Its login is the same one on all workers. */
  readonly sharedLogin: boolean;
}

/** How it is stored that a run waits for a login which all workers share. */
const SHARED_LOGIN = "shared_login";

/** In one word, as the row of the run keeps it. */
export function notedWaiting({ reason, sharedLogin }: ToldWaiting): string {
  return reason === "per_login" && sharedLogin ? SHARED_LOGIN : reason;
}

/** Null if nothing was noted, or a reason of a newer program. */
export function readWaiting(noted: string | null): ToldWaiting | null {
  if (noted === SHARED_LOGIN) return { reason: "per_login", sharedLogin: true };
  const reason = waitReason.safeParse(noted).data;
  return reason === undefined ? null : { reason, sharedLogin: false };
}

/** What is noted of runs that wait for a limit which counts on all workers. */
export const WAIT_FOR_ALL: readonly string[] = [SHARED_LOGIN, "per_repository"];

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
  /** The workers that could not clone its repository: they refuse it as long as they have no clone. */
  readonly unclonedAt: readonly string[];
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
  return room === 0 ? [] : wantedBy(worker, team, runs).slice(0, room);
}

/** How many runs it could begin now. */
export function roomAt(worker: TeamWorker): number {
  return worker.isThere && begins(worker) ? Math.max(0, worker.slots - worker.busy) : 0;
}

/** Of which run a worker is told. */
interface Offer {
  readonly worker: string;
  readonly run: string;
}

/**
 * Each run to one worker that has room left, in the order of the queue. Looks that follow each other give a run to the same
 * worker, as long as `turn` is the same: only one makes a plan for it. Another turn is for a worker that declines. Slots that
 * are left over are told of the first runs, as others are: these offers come last.
 */
export function offersOf(
  team: readonly TeamWorker[],
  runs: readonly MovableRun[],
  turn: number,
): readonly Offer[] {
  const free = team.filter((worker) => roomAt(worker) > 0);
  const takers = free.map((worker) => {
    const wanted = wantedBy(worker, team, runs);
    return { id: worker.id, room: roomAt(worker), wanted, wants: new Set(wanted), told: new Set<string>() };
  });
  const offers: Offer[] = [];
  const tell = ({ id: worker, told }: (typeof takers)[number], run: string) => {
    told.add(run);
    offers.push({ worker, run });
  };
  for (const run of runs) {
    const able = takers.filter(({ room, told, wants }) => told.size < room && wants.has(run));
    const [taker] = able.toSorted((one, other) => rank(turn, run, one) - rank(turn, run, other));
    if (taker !== undefined) tell(taker, run.id);
  }
  for (const taker of takers)
    for (const { id } of taker.wanted)
      if (taker.told.size < taker.room && !taker.told.has(id)) tell(taker, id);
  return offers;
}

/** The queue with runs at its end that nobody has asked for yet. Who cannot clone for a run that waits cannot for them. */
export function withPlanned(
  queue: readonly MovableRun[],
  planned: readonly MovableRun[],
): readonly MovableRun[] {
  const behind = planned.map((run) => {
    const alike = queue.filter(({ repository }) => repository === run.repository);
    return { ...run, unclonedAt: [...new Set([run, ...alike].flatMap(({ unclonedAt }) => unclonedAt))] };
  });
  return [...queue, ...behind];
}

/** Spreads runs over workers, without regard to who else is there: a number that these three alone decide (FNV-1a). */
function rank(turn: number, run: MovableRun, worker: { readonly id: string }): number {
  let hash = 0x811c9dc5;
  for (const char of `${turn} ${run.id} ${worker.id}`)
    hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
  return hash >>> 0;
}

/** All that it may begin, without regard to its slots. */
function wantedBy<Run extends MovableRun>(
  worker: TeamWorker,
  team: readonly TeamWorker[],
  runs: readonly Run[],
): readonly Run[] {
  const holders = new Map(team.map((one) => [one.id, one]));
  const free = runs.filter((run) => {
    const holder = holders.get(run.worker);
    return holder !== undefined && (!goesOnAt(holder, run) || endsElsewhere(run.waits));
  });
  const wanted = free.filter((run) => fits(worker, run));
  const isOwn = ({ repository }: Run) => worker.repositories.has(repository);
  const takers = wanted.every(isOwn) ? null : takersOf(team, free);
  return wanted.filter((run) => isOwn(run) || takers?.get(run) === worker.id);
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

/** Whether it begins runs without a person, or a start of its engine. */
function begins({ state, drains }: TeamWorker): boolean {
  return state === "ready" && !drains;
}

/** Its own worker begins it in time. An older program would never do so. */
function goesOnAt(holder: TeamWorker, { needs }: MovableRun): boolean {
  return begins(holder) && holder.protocol >= needs;
}

function fits(worker: TeamWorker, run: MovableRun): boolean {
  const { worker: holder, agent, needs, repository, labels, refusedBy, unclonedAt } = run;
  const mayClone = worker.protocol >= CLONES_ITSELF && !unclonedAt.includes(worker.id);
  return (
    worker.id !== holder &&
    (worker.repositories.has(repository) || mayClone) &&
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
