/** Finds tasks, attempts and runs by the beginning of their id. */
import type { Reader } from "./schema.ts";

/** What an id or the beginning of one points at. */
export interface PrefixFound {
  readonly kind: "found";
  readonly type: "task" | "attempt" | "run";
  readonly id: string;
  /** Of the attempt itself, or of the run's; null for a task. */
  readonly attemptId: string | null;
  readonly taskId: string;
}

export type PrefixMatch =
  | PrefixFound
  | { readonly kind: "none" }
  /** At most ten of them. */
  | { readonly kind: "ambiguous"; readonly candidates: readonly PrefixFound[] };

const MOST_CANDIDATES = 10;

/** A whole id wins over longer ones that begin with it; the empty prefix points at nothing. */
export async function findByPrefix(db: Reader, prefix: string): Promise<PrefixMatch> {
  if (prefix === "") return { kind: "none" };
  const found = [
    ...(await tasksBetween(db, prefix)),
    ...(await attemptsBetween(db, prefix)),
    ...(await runsBetween(db, prefix)),
  ];
  const whole = found.filter(({ id }) => id === prefix);
  const [first, ...others] = whole.length > 0 ? whole : found;
  if (first === undefined) return { kind: "none" };
  if (others.length === 0) return first;
  return { kind: "ambiguous", candidates: [first, ...others].slice(0, MOST_CANDIDATES) };
}

/** No character sorts behind this one, byte by byte: what lies between the prefix and it begins with the prefix. */
const LAST = "\u{10FFFF}";

async function tasksBetween(db: Reader, prefix: string): Promise<PrefixFound[]> {
  const rows = await db
    .selectFrom("tasks")
    .select("id")
    .where("id", ">=", prefix)
    .where("id", "<", prefix + LAST)
    .orderBy("id")
    .limit(MOST_CANDIDATES)
    .execute();
  return rows.map(({ id }) => ({ kind: "found", type: "task", id, attemptId: null, taskId: id }));
}

async function attemptsBetween(db: Reader, prefix: string): Promise<PrefixFound[]> {
  const rows = await db
    .selectFrom("attempts")
    .select(["id", "task_id"])
    .where("id", ">=", prefix)
    .where("id", "<", prefix + LAST)
    .orderBy("id")
    .limit(MOST_CANDIDATES)
    .execute();
  return rows.map(({ id, task_id }) => ({
    kind: "found",
    type: "attempt",
    id,
    attemptId: id,
    taskId: task_id,
  }));
}

async function runsBetween(db: Reader, prefix: string): Promise<PrefixFound[]> {
  const rows = await db
    .selectFrom("runs")
    .innerJoin("attempts", "attempts.id", "runs.attempt_id")
    .select(["runs.id", "runs.attempt_id", "attempts.task_id"])
    .where("runs.id", ">=", prefix)
    .where("runs.id", "<", prefix + LAST)
    .orderBy("runs.id")
    .limit(MOST_CANDIDATES)
    .execute();
  return rows.map(({ id, attempt_id, task_id }) => ({
    kind: "found",
    type: "run",
    id,
    attemptId: attempt_id,
    taskId: task_id,
  }));
}
