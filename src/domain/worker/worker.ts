/** Describes a worker: a data folder whose engine works on a database that others may use too. */
import { z } from "zod";
import { actorSchema } from "../actor.ts";
import { type Entity, time } from "../entity.ts";
import { isFarOff } from "./clock-offset.ts";

/** `silent`: it did not say goodbye, and is not heard of. `stopped`: its engine has ended as it should. */
export const WORKER_STATES = ["ready", "silent", "stopped"] as const;

/** What ends a drain: a person's `resume`, or the next start of a worker that drained to leave. */
const DRAIN_ENDS = ["resume", "start"] as const;

export const workerSchema = z.object({
  /** That of the data folder (`worker-id`). */
  id: z.string(),
  /** Unique; for people. */
  name: z.string(),
  /** Of the program. */
  version: z.string(),
  /** What its program knows (`protocol.ts`). */
  protocol: z.number().int(),
  /** How far its clock is ahead of the database's, in milliseconds; null if it was not measured yet. */
  clockMs: z.number().int().nullable(),
  /** How many runs may work there at once. */
  slots: z.number().int(),
  /** The ids of the agents that are ready there. */
  agents: z.array(z.string()),
  /** What it is good for (`labels.ts`). */
  labels: z.array(z.string()),
  state: z.enum(WORKER_STATES),
  /** By the database's clock, as the next one. */
  startedAt: time,
  /** When it last said that it is there. */
  seenAt: time,
  /** Since then it begins no run. The next three are null if it does not drain. */
  drainingSince: time.nullable(),
  /** What still goes on at that time is stopped; null if nothing is. */
  drainBy: time.nullable(),
  drainUntil: z.enum(DRAIN_ENDS).nullable(),
  /** Who asked for the drain; null if it does not drain, if its own end did, or if an older program stored it. */
  drainActor: actorSchema.nullable(),
  /** It is in no list any more; only what it left names it. */
  removedAt: time.nullable(),
});
export type Worker = Entity<typeof workerSchema>;

/** Whether it begins runs if it is there: no person drained it, and its clock is not far off. */
export function takesRuns({ drainingSince, clockMs }: Pick<Worker, "drainingSince" | "clockMs">): boolean {
  return drainingSince === null && !isFarOff(clockMs);
}

/** So long after it was seen, a worker that has not stopped counts as silent: it missed several times to be seen. */
const SILENT_MS = 90_000;

/** The state that holds now. A machine that lost its power says nothing. */
export function stateNow(stored: Worker["state"], seenAgoMs: number): Worker["state"] {
  return stored === "ready" && seenAgoMs > SILENT_MS ? "silent" : stored;
}

const LONGEST = 40;

/** The first part of the machine's name, in letters and digits; with a number if that is taken. */
export function workerName(host: string, taken: ReadonlySet<string>): string {
  const [first = ""] = host.split(".");
  const name =
    first
      .toLowerCase()
      .replace(/[^a-z0-9-]+/g, "-")
      .replace(/^-+|-+$/g, "")
      .slice(0, LONGEST) || "worker";
  for (let number = 1; ; number++) {
    const wanted = number === 1 ? name : `${name}-${number}`;
    if (!taken.has(wanted)) return wanted;
  }
}
