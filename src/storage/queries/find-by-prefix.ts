/** Finds tasks, attempts and runs by the beginning of their id, and attempts by their branch. */
import { type SelectQueryBuilder, sql } from "kysely";
import type { Reader, Schema } from "../schema/schema.ts";

/** The target of an id or of its beginning. */
interface PrefixFound {
  readonly kind: "found";
  readonly type: "task" | "attempt" | "run";
  readonly id: string;
  /** The attempt's id, or that of the run's attempt; null for a task. */
  readonly attemptId: string | null;
  readonly taskId: string;
}

type PrefixMatch =
  | PrefixFound
  | { readonly kind: "none" }
  /** At most ten matches. */
  | { readonly kind: "ambiguous"; readonly candidates: readonly PrefixFound[] };

/**
 * A whole id is preferred to longer ones that begin with it, and an id to a branch. An open attempt is preferred to
 * others of its branch. The empty prefix matches nothing.
 */
export async function findByPrefix(db: Reader, prefix: string): Promise<PrefixMatch> {
  if (prefix === "") return { kind: "none" };
  const found = [
    ...(await tasksBetween(db, prefix)),
    ...(await attemptsBetween(db, prefix)),
    ...(await runsBetween(db, prefix)),
  ];
  const whole = found.filter(({ id }) => id === prefix);
  const byId = whole.length > 0 ? whole : found;
  const [first, ...others] = byId.length > 0 ? byId : await attemptsOnBranch(db, prefix);
  if (first === undefined) return { kind: "none" };
  if (others.length === 0) return first;
  return { kind: "ambiguous", candidates: [first, ...others].slice(0, MAX_CANDIDATES) };
}

async function tasksBetween(db: Reader, prefix: string): Promise<PrefixFound[]> {
  const rows = await withPrefix(db.selectFrom("tasks").select("id"), "id", prefix).execute();
  return rows.map(({ id }) => ({ kind: "found", type: "task", id, attemptId: null, taskId: id }));
}

async function attemptsBetween(db: Reader, prefix: string): Promise<PrefixFound[]> {
  const rows = await withPrefix(db.selectFrom("attempts").select(["id", "taskId"]), "id", prefix).execute();
  return rows.map(({ id, taskId }) => attemptFound(id, taskId));
}

async function runsBetween(db: Reader, prefix: string): Promise<PrefixFound[]> {
  const runs = db
    .selectFrom("runs")
    .innerJoin("attempts", "attempts.id", "runs.attemptId")
    .select(["runs.id", "runs.attemptId", "attempts.taskId"]);
  const rows = await withPrefix(runs, "runs.id", prefix).execute();
  return rows.map((row) => ({ kind: "found", type: "run", ...row }));
}

/** How many matches are told; more do not help a person to choose. */
const MAX_CANDIDATES = 10;

/**
 * No character sorts after this one, byte by byte. So every text between the prefix and this bound begins with the
 * prefix.
 */
const LAST = "\u{10FFFF}";

/** At most ten rows whose id begins like this, in order. */
export function withPrefix<Tables extends keyof Schema, Row>(
  rows: SelectQueryBuilder<Schema, Tables, Row>,
  column: "id" | "runs.id",
  prefix: string,
): SelectQueryBuilder<Schema, Tables, Row> {
  const id = sql.ref<string>(column);
  return rows
    .where(id, ">=", prefix)
    .where(id, "<", prefix + LAST)
    .orderBy(id)
    .limit(MAX_CANDIDATES);
}

async function attemptsOnBranch(db: Reader, branch: string): Promise<PrefixFound[]> {
  const rows = await db
    .selectFrom("attempts")
    .select(["id", "taskId", "state"])
    .where("branch", "=", branch)
    .orderBy("id")
    .execute();
  const open = rows.filter(({ state }) => state === "open");
  return (open.length > 0 ? open : rows).map(({ id, taskId }) => attemptFound(id, taskId));
}

function attemptFound(id: string, taskId: string): PrefixFound {
  return { kind: "found", type: "attempt", id, attemptId: id, taskId };
}
