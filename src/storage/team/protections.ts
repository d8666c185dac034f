/** Stores what the depot holds of each attempt. Only who may write the attempt's run, or holds its files, says so. */
import type { Protection } from "../../domain/depot/depot.ts";
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

/** Open attempts whose files a worker holds, and whose last edits are not in the depot. */
export async function unprotectedOf(db: Reader, worker: string): Promise<readonly string[]> {
  const rows = await db
    .selectFrom("protections")
    .innerJoin("attempts", "attempts.id", "protections.attemptId")
    .select("protections.attemptId")
    .where("protections.unprotectedSince", "is not", null)
    .where("attempts.workerId", "=", worker)
    .where("attempts.state", "=", "open")
    .execute();
  return rows.map(({ attemptId }) => attemptId);
}
