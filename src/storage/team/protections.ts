/** Stores what the depot holds of each attempt. Only who may write the attempt's run, or holds its files, says so. */
import type { Protection } from "../../domain/depot/depot.ts";
import type { CopiedAttempt } from "../../domain/depot/needless-refs.ts";
import { databaseTime } from "../schema/database-time.ts";
import { protections, type Reader, type WriteTransaction } from "../schema/schema.ts";
import { UNFINISHED } from "../tables/run-lease.ts";

/** Who speaks for an attempt: the driver of a run by its lease, or without one the worker that holds the files. */
export interface Speaker {
  readonly attemptId: string;
  readonly worker: string;
  readonly lease: { readonly id: string; readonly epoch: number } | null;
}

/** Whether that is still so. Ask it in the transaction that writes. */
export async function speaksFor(trx: Reader, { attemptId, worker, lease }: Speaker): Promise<boolean> {
  if (lease !== null) {
    const run = await trx
      .selectFrom("runs")
      .select(["attemptId", "leaseOwner", "leaseEpoch"])
      .where("id", "=", lease.id)
      .executeTakeFirst();
    return run?.attemptId === attemptId && run.leaseOwner === worker && run.leaseEpoch === lease.epoch;
  }
  const found = await trx
    .selectFrom("attempts")
    .select("id")
    .where("id", "=", attemptId)
    .where("workerId", "=", worker)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("runs")
            .select("runs.id")
            .whereRef("runs.attemptId", "=", "attempts.id")
            .where("runs.status", "in", UNFINISHED)
            .where("runs.leaseOwner", "is not", null)
            .where("runs.leaseOwner", "!=", worker),
        ),
      ),
    )
    .executeTakeFirst();
  return found !== undefined;
}

export async function getProtection(db: Reader, attemptId: string): Promise<Protection | null> {
  return (await protectionsOf(db, [attemptId])).get(attemptId) ?? null;
}

export async function protectionsOf(
  db: Reader,
  attempts: readonly string[],
): Promise<ReadonlyMap<string, Protection>> {
  if (attempts.length === 0) return new Map();
  const rows = await db.selectFrom("protections").selectAll().where("attemptId", "in", attempts).execute();
  return new Map(rows.map((row) => [row.attemptId, protections.read(row)]));
}

export interface Copy {
  readonly ref: string;
  readonly sha: string;
  readonly tree: string;
  readonly base: string | null;
  readonly runId: string | null;
}

/** The depot holds this copy. Whether that ends a time without protection. Null if somebody else speaks for the attempt. */
export async function noteProtected(
  trx: WriteTransaction,
  speaker: Speaker,
  copy: Copy,
): Promise<{ readonly isNews: boolean } | null> {
  if (!(await speaksFor(trx, speaker))) return null;
  const { attemptId } = speaker;
  const before = await getProtection(trx, attemptId);
  const told = { ...copy, protectedAt: databaseTime(trx), unprotectedSince: null, trouble: null };
  await trx
    .insertInto("protections")
    .values({ attemptId, ...told })
    .onConflict((conflict) => conflict.column("attemptId").doUpdateSet(told))
    .execute();
  return { isNews: before?.unprotectedSince != null };
}

/** Later edits cannot be copied. Whether that begins now. Null if somebody else speaks for the attempt. */
export async function noteUnprotected(
  trx: WriteTransaction,
  speaker: Speaker,
  trouble: string,
): Promise<{ readonly isNews: boolean } | null> {
  if (!(await speaksFor(trx, speaker))) return null;
  const { attemptId } = speaker;
  const before = await getProtection(trx, attemptId);
  const none = { ref: null, sha: null, tree: null, base: null, runId: null, protectedAt: null };
  const isNews = (before?.unprotectedSince ?? null) === null;
  const told = { trouble, ...(isNews ? { unprotectedSince: databaseTime(trx) } : {}) };
  await trx
    .insertInto("protections")
    .values({ attemptId, ...none, trouble, unprotectedSince: databaseTime(trx) })
    .onConflict((conflict) => conflict.column("attemptId").doUpdateSet(told))
    .execute();
  return { isNews };
}

/** What a depot may forget of attempts; those that are not known are missing. */
export async function copiedAttempts(
  db: Reader,
  ids: readonly string[],
): Promise<ReadonlyMap<string, CopiedAttempt>> {
  const found = new Map<string, CopiedAttempt>();
  for (let at = 0; at < ids.length; at += AT_ONCE)
    for (const attempt of await someCopied(db, ids.slice(at, at + AT_ONCE))) found.set(attempt.id, attempt);
  return found;
}

/** SQLite takes so many values in one statement, and more. */
const AT_ONCE = 500;

async function someCopied(db: Reader, ids: readonly string[]): Promise<readonly CopiedAttempt[]> {
  const known = await db.selectFrom("attempts").select("id").where("id", "in", ids).execute();
  const copies = await protectionsOf(db, ids);
  const dropped = await db
    .selectFrom("snapshots")
    .select(["attemptId", "number"])
    .where("attemptId", "in", ids)
    .where("droppedAt", "is not", null)
    .execute();
  const unfinished = await db
    .selectFrom("runs")
    .select(["id", "attemptId", "leaseEpoch"])
    .where("attemptId", "in", ids)
    .where("status", "in", UNFINISHED)
    .execute();
  return known.map(({ id }) => ({
    id,
    ref: copies.get(id)?.ref ?? null,
    dropped: new Set(dropped.flatMap((each) => (each.attemptId === id ? [each.number] : []))),
    unfinished: new Map(
      unfinished.flatMap((run) => (run.attemptId === id ? [[run.id, run.leaseEpoch] as const] : [])),
    ),
  }));
}
