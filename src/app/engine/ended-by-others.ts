/** Says why an engine ends, or does not start, because of what others did to its database. */

/** Another engine took the database over. */
export const REPLACED = {
  code: "engine_replaced",
  message: "Another Tazuna took the database over while the connection to it was broken; this one ends.",
  remedy: "Use that one, or stop it and start this one again.",
} as const;

/** A person removed this worker, here or at another one. */
export const WORKER_REMOVED = {
  code: "worker_removed",
  message: "This data folder was a worker on that database, and was removed from it.",
  remedy:
    "Set TAZUNA_HOME to a fresh folder. Or delete the file `worker-id` in this one: it then starts as a new worker, and its old worktrees stay as they are.",
} as const;

export type EndedByOthers = typeof REPLACED | typeof WORKER_REMOVED;
