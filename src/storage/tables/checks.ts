/** Stores the results of a run's declared checks, together with the tree that they checked. */
import type { CheckLeft } from "../../domain/publish/left-files.ts";
import type { CheckResult } from "../../domain/run/check.ts";
import { checkLeft, checks, type Reader, type WriteTransaction } from "../schema/schema.ts";

/** Stores the result, and replaces an earlier one of the same run and name. */
export async function saveCheck(trx: WriteTransaction, check: CheckResult): Promise<void> {
  const row = checks.write({ ...check, durationMs: Math.round(check.durationMs) });
  await trx
    .insertInto("checks")
    .values(row)
    .onConflict((conflict) => conflict.columns(["runId", "name"]).doUpdateSet(row))
    .execute();
}

/** In the order in which they ended. */
export async function checksOfRun(db: Reader, runId: string): Promise<CheckResult[]> {
  const rows = await db.selectFrom("checks").selectAll().where("runId", "=", runId).orderBy("at").execute();
  return rows.map(checks.read);
}

/** For each run, in the order in which they ended. */
export async function checksOfRuns(
  db: Reader,
  runIds: readonly string[],
): Promise<ReadonlyMap<string, readonly CheckResult[]>> {
  if (runIds.length === 0) return new Map();
  const rows = await db.selectFrom("checks").selectAll().where("runId", "in", runIds).orderBy("at").execute();
  return Map.groupBy(rows.map(checks.read), (check) => check.runId);
}

/** The files that the checks of an attempt left, in the order in which the checks ended. */
export async function leftByChecksOf(db: Reader, attemptId: string): Promise<CheckLeft[]> {
  const rows = await db
    .selectFrom("runs")
    .innerJoin("checks", "checks.runId", "runs.id")
    .select(["checks.runId", "checks.name", "checks.leftBehind"])
    .where("runs.attemptId", "=", attemptId)
    .where("checks.leftBehind", "!=", "[]")
    .orderBy("runs.number")
    .orderBy("checks.at")
    .execute();
  return rows.map(checkLeft.read).map(({ name, leftBehind }) => ({ check: name, files: leftBehind }));
}
