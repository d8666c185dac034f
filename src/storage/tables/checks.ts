/** Stores the results of declared checks: of a run, with the tree that they checked, and on bases. */
import type { CheckLeft } from "../../domain/publish/left-files.ts";
import type { BaseCheck } from "../../domain/run/base-check.ts";
import type { CheckResult } from "../../domain/run/check.ts";
import { baseChecks, checkLeft, checks, type Reader, type WriteTransaction } from "../schema/schema.ts";

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

/** Replaces an earlier result of the same check on the same commit. */
export async function saveBaseCheck(trx: WriteTransaction, check: BaseCheck): Promise<void> {
  const row = baseChecks.write({ ...check, durationMs: Math.round(check.durationMs) });
  await trx
    .insertInto("baseChecks")
    .values(row)
    .onConflict((conflict) => conflict.columns(["repositoryId", "baseSha", "hash"]).doUpdateSet(row))
    .execute();
}

/** By the hash of their definition. */
export async function baseChecksAt(
  db: Reader,
  { repositoryId, baseSha }: Pick<BaseCheck, "repositoryId" | "baseSha">,
): Promise<ReadonlyMap<string, BaseCheck>> {
  const rows = await db
    .selectFrom("baseChecks")
    .selectAll()
    .where("repositoryId", "=", repositoryId)
    .where("baseSha", "=", baseSha)
    .execute();
  return new Map(rows.map((row) => [String(row.hash), baseChecks.read(row)]));
}
