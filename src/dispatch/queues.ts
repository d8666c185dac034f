/** Names the queues of a team and their schema, and says how each queue treats its jobs. */
import { createHash } from "node:crypto";
import type { Queue } from "pg-boss";

/** Tries again for more than half a day, since what makes a look fail is a database or a disk. */
const TRIES = { retryLimit: 1_000, retryDelay: 1, retryBackoff: true, retryDelayMax: 60 } as const;

/** Done jobs tell nothing: the table stays small. */
const FORGET_S = 60;

/** What a worker should look at. Ten looks at one run are one job that waits. */
export function lookQueue(worker: string): Queue {
  return {
    name: `w.${worker}`,
    policy: "stately",
    notify: true,
    ...TRIES,
    expireInSeconds: 60,
    deleteAfterSeconds: FORGET_S,
  };
}

/** Of a worker that was reported lost; any engine takes them. */
export const LOST: Queue = { name: "lost", ...TRIES, expireInSeconds: 60, deleteAfterSeconds: FORGET_S };

/**
 * Somebody should look at what waits on all workers. Ten wishes are one job that waits. Two engines may look at once,
 * which does no harm. With `stately` a wish that met a look might wait as long as the package remembers that look.
 */
export const PLACE: Queue = {
  name: "place",
  policy: "short",
  notify: true,
  ...TRIES,
  expireInSeconds: 60,
  deleteAfterSeconds: FORGET_S,
};

/** One job waits for its time, and one is done. That of an engine that was lost is done again, by whoever can. */
export function choreQueue(name: string): Queue {
  return {
    name: `chore.${name}`,
    policy: "stately",
    ...TRIES,
    heartbeatSeconds: CHORE_HEARTBEAT_S,
    expireInSeconds: REPLACE_S * 6,
    deleteAfterSeconds: FORGET_S,
  };
}

const CHORE_HEARTBEAT_S = 60;

/** The least that the package allows. */
const HEARTBEAT_S = 10;
/** So often an open job is renewed: two renewals may fail. */
export const RENEW_S = 3;
/** An open job is replaced after this time, since a job may not be open for more than a day. */
export const REPLACE_S = 3_600;

const PRESENCE = "presence.";

/** A job that is open while the worker lives. One may wait, to follow the open one. */
export function presenceQueue(worker: string): Queue {
  return {
    name: `${PRESENCE}${worker}`,
    policy: "short",
    retryLimit: 0,
    heartbeatSeconds: HEARTBEAT_S,
    expireInSeconds: 2 * REPLACE_S,
    retentionSeconds: FORGET_S,
    deleteAfterSeconds: FORGET_S,
    deadLetter: LOST.name,
  };
}

export function isPresence(queue: { readonly name: string }): boolean {
  return queue.name.startsWith(PRESENCE);
}

/** The package allows 50 bytes. */
const SIMPLE = /^[a-z_][a-z0-9_]{0,35}$/;

/** The schema of the jobs, beside the one of our tables: two of ours never share one. */
export function jobsSchema(schema: string): string {
  if (SIMPLE.test(schema)) return `tazuna_jobs_${schema}`;
  return `tazuna_jobsof_${createHash("sha256").update(schema).digest("hex").slice(0, 32)}`;
}
