/** Decides on which worker a task begins: here, or on another one that has a clone of the same address (ADR 0090). */
import { hasLabels } from "./labels.ts";

/** Another worker, and what it has for the task. */
export interface OtherPlace {
  readonly worker: string;
  readonly name: string;
  /** Its engine works, and takes new runs. */
  readonly isReady: boolean;
  /** What its program knows. */
  readonly protocol: number;
  /** How many runs may work there at once, and how many are there that work or wait. */
  readonly slots: number;
  readonly busy: number;
  /** The ids of the agents that are ready there. */
  readonly agents: readonly string[];
  readonly labels: readonly string[];
  /** Whether it has a clone of the same address. */
  readonly hasClone: boolean;
}

/** The worker that was asked. */
export interface OwnPlace {
  readonly labels: readonly string[];
  readonly hasClone: boolean;
  /** Whether one of the attempts would have to wait here for a slot, or for room. */
  readonly wouldWait: boolean;
}

export interface TaskToPlace {
  /** How many attempts begin. */
  readonly attempts: number;
  /** The agents that they need; empty if they are not known here. */
  readonly agents: readonly string[];
  /** Those that its worker has to have. */
  readonly labels: readonly string[];
  /** It needs what only the own clone has, such as a commit that was not pushed. */
  readonly staysHere: boolean;
  /** The other worker that a person chose. */
  readonly pinned: string | null;
  /** The least protocol of a worker that may work on it. */
  readonly needs: number;
}

/** `none`: no clone is here, and nobody else can begin it. */
type Place<Other> =
  | { readonly at: "here" }
  | { readonly at: "there"; readonly place: Other }
  | { readonly at: "none"; readonly why: NoPlace };

const REASONS = ["older", "not_ready", "lacks_labels", "no_clone"] as const;
/** Why a worker can begin nothing of a task. */
export type NoPlace = (typeof REASONS)[number];

/**
 * A task that can begin here begins here. If it would wait, it goes where all of its attempts can begin at once. Of
 * several such workers it takes the one with the most free slots. Without a clone or its labels here it goes elsewhere,
 * even if it waits there. A label that nobody has is waited for here.
 */
export function placeTask<Other extends OtherPlace>(
  own: OwnPlace,
  others: readonly Other[],
  task: TaskToPlace,
): Place<Other> {
  if (task.pinned !== null) return pinnedTo(task, others);
  const can = others.filter((other) => cannot(task, other) === null).toSorted(byFreeSlots);
  const best = can.find((other) => hasAgents(other, task) && freeSlots(other) >= task.attempts);
  const isFit = hasLabels(own.labels, task.labels);
  if (own.hasClone && (isFit || task.staysHere)) {
    const leaves = own.wouldWait && !task.staysHere;
    return best === undefined || !leaves ? { at: "here" } : { at: "there", place: best };
  }
  const place = best ?? can.find((other) => hasAgents(other, task)) ?? can[0];
  if (place !== undefined) return { at: "there", place };
  if (own.hasClone) return { at: "here" };
  const reasons = new Set(others.map((other) => cannot(task, other)));
  // One that is there is worth a word before those that are not.
  return { at: "none", why: REASONS.find((why) => reasons.has(why)) ?? "no_clone" };
}

function pinnedTo<Other extends OtherPlace>(task: TaskToPlace, others: readonly Other[]): Place<Other> {
  const place = others.find(({ worker }) => worker === task.pinned);
  const why = place === undefined ? "not_ready" : cannot(task, place);
  return place === undefined || why !== null
    ? { at: "none", why: why ?? "not_ready" }
    : { at: "there", place };
}

/** Null if it can. */
function cannot(task: TaskToPlace, other: OtherPlace): NoPlace | null {
  if (!other.hasClone) return "no_clone";
  if (!hasLabels(other.labels, task.labels)) return "lacks_labels";
  if (!other.isReady) return "not_ready";
  return other.protocol >= task.needs ? null : "older";
}

function hasAgents(other: OtherPlace, { agents }: TaskToPlace): boolean {
  return agents.every((agent) => other.agents.includes(agent));
}

/** Of those with as many, always the same one comes first. */
function byFreeSlots(one: OtherPlace, other: OtherPlace): number {
  return freeSlots(other) - freeSlots(one) || (one.worker < other.worker ? -1 : 1);
}

/** Below zero if more wait there than can work. */
function freeSlots({ slots, busy }: OtherPlace): number {
  return slots - busy;
}
