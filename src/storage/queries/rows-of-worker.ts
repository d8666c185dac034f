/** Tells whose rows are whose: which data folder did an act, or holds an attempt's worktree (ADR 0081). */
import type { OfWorker } from "../schema/owned-by.ts";
import type { Reader, WriteTransaction } from "../schema/schema.ts";

/** Takes the rows that earlier programs wrote, which name nobody. A worktree that was never begun stays nobody's. */
export async function claimRows(trx: WriteTransaction, worker: string): Promise<void> {
  for (const table of ["operations", "repositories", "runs"] as const)
    await trx.updateTable(table).set({ workerId: worker }).where("workerId", "is", null).execute();
  await trx
    .updateTable("attempts")
    .set({ workerId: worker })
    .where("workerId", "is", null)
    .where((eb) => eb.or([eb("gitDir", "is not", null), eb("baseSha", "is not", null)]))
    .execute();
}

/** The other worker that a row names; null if it names this one, or nobody, or if there is no such row. */
export async function otherWorkerOf(
  db: Reader,
  row: { readonly table: OfWorker; readonly id: string; readonly than: string },
): Promise<string | null> {
  const { table, id, than } = row;
  const found = await db.selectFrom(table).select("workerId").where("id", "=", id).executeTakeFirst();
  return found === undefined || found.workerId === than ? null : found.workerId;
}

/** The ids of those attempts whose worktrees other workers hold; of all attempts if `among` is null. */
export async function attemptsOfOthers(
  db: Reader,
  { than, among = null }: { readonly than: string; readonly among?: readonly string[] | null },
): Promise<ReadonlySet<string>> {
  if (among?.length === 0) return new Set();
  const rows = await db
    .selectFrom("attempts")
    .select("id")
    .where("workerId", "!=", than)
    .$if(among !== null, (select) => select.where("id", "in", among ?? []))
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Says which worker drives these runs. */
export async function assignRuns(
  trx: WriteTransaction,
  { ids, worker }: { readonly ids: readonly string[]; readonly worker: string },
): Promise<void> {
  await trx.updateTable("runs").set({ workerId: worker }).where("id", "in", ids).execute();
}

/** Those of the runs that name another worker, or whose attempt's worktree another one holds, by their ids. */
export async function runsOfOthers(
  db: Reader,
  { than, among }: { readonly than: string; readonly among: readonly string[] },
): Promise<ReadonlyMap<string, { readonly drives: string | null; readonly holds: string | null }>> {
  if (among.length === 0) return new Map();
  const rows = await db
    .selectFrom("runs")
    .innerJoin("attempts", "attempts.id", "runs.attemptId")
    .select(["runs.id", "runs.workerId as drives", "attempts.workerId as holds"])
    .where("runs.id", "in", among)
    .where((eb) => eb.or([eb("runs.workerId", "!=", than), eb("attempts.workerId", "!=", than)]))
    .execute();
  return new Map(rows.map(({ id, drives, holds }) => [id, { drives, holds }]));
}

/** The ids of the attempts of which another worker took a snapshot, into a git that need not be here. */
export async function snapshotsOfOthers(db: Reader, than: string): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom("operations")
    .select("subjectId")
    .distinct()
    .where("kind", "=", "snapshot")
    .where("workerId", "!=", than)
    .execute();
  return new Set(rows.map(({ subjectId }) => subjectId));
}
