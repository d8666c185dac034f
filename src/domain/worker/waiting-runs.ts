/** Decides which runs that wait on other workers one worker may take (ADR 0095). */
import type { Waiting } from "../run/waiting.ts";
import { hasLabels } from "./labels.ts";
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
 * stays there, and so does what would wait elsewhere too.
 */
export function runsFor<Run extends MovableRun>(
  worker: TeamWorker,
  team: readonly TeamWorker[],
  runs: readonly Run[],
): readonly Run[] {
  const room = worker.isThere && begins(worker) ? worker.slots - worker.busy : 0;
  const wanted = runs.filter((run) => {
    const holder = team.find(({ id }) => id === run.worker);
    return holder !== undefined && fits(worker, run) && (!goesOnAt(holder, run) || endsElsewhere(run.waits));
  });
  return wanted.slice(0, Math.max(0, room));
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
    worker.repositories.has(repository) &&
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
