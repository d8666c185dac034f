/** Stores the results of a run's declared checks, together with the tree that they checked. */
import { z } from "zod";
import type { CheckLeft, LeftFile } from "../../domain/publish/left-files.ts";
import { jsonColumn, rowReader, timeColumn, toJson, toTime } from "../schema/row.ts";
import type { Reader, WriteTransaction } from "../schema/schema.ts";

export interface CheckResult {
  readonly runId: string;
  /** As configured; unique within the run. */
  readonly name: string;
  /** The staged tree that was checked. */
  readonly tree: string;
  readonly command: string;
  readonly required: boolean;
  /** `stopped` by a person: the run ended there. */
  readonly outcome: "passed" | "failed" | "timed_out" | "stopped";
  /** Null if it timed out, was stopped, or was ended by a signal. */
  readonly exitCode: number | null;
  readonly durationMs: number;
  /** The end of its output. */
  readonly output: string;
  /** Files that it left in the worktree. They are reported, and are not staged as long as they are unchanged. */
  readonly leftBehind: readonly LeftFile[];
  readonly at: string;
}

/** Stores the result, and replaces an earlier one of the same run and name. */
export async function saveCheck(trx: WriteTransaction, check: CheckResult): Promise<void> {
  const result = {
    tree: check.tree,
    command: check.command,
    required: check.required,
    outcome: check.outcome,
    exit_code: check.exitCode,
    duration_ms: Math.round(check.durationMs),
    output: check.output,
    left_behind: toJson(check.leftBehind),
    at: toTime(check.at),
  };
  await trx
    .insertInto("checks")
    .values({ run_id: check.runId, name: check.name, ...result })
    .onConflict((conflict) => conflict.columns(["run_id", "name"]).doUpdateSet(result))
    .execute();
}

/** In the order in which they ended. */
export async function checksOfRun(db: Reader, runId: string): Promise<CheckResult[]> {
  const rows = await db.selectFrom("checks").selectAll().where("run_id", "=", runId).orderBy("at").execute();
  return rows.map(toCheck);
}

/** For each run, in the order in which they ended. */
export async function checksOfRuns(
  db: Reader,
  runIds: readonly string[],
): Promise<ReadonlyMap<string, readonly CheckResult[]>> {
  if (runIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("checks")
    .selectAll()
    .where("run_id", "in", runIds)
    .orderBy("at")
    .execute();
  return Map.groupBy(rows.map(toCheck), (check) => check.runId);
}

/** The files that the checks of an attempt left, in the order in which the checks ended. */
export async function leftByChecksOf(db: Reader, attemptId: string): Promise<CheckLeft[]> {
  const rows = await db
    .selectFrom("runs")
    .innerJoin("checks", "checks.run_id", "runs.id")
    .select(["checks.run_id", "checks.name", "checks.left_behind"])
    .where("runs.attempt_id", "=", attemptId)
    .where("checks.left_behind", "!=", toJson([]))
    .orderBy("runs.number")
    .orderBy("checks.at")
    .execute();
  return rows.map(toCheckLeft);
}

const fileState = z.object({ mode: z.string(), sha: z.string() }).nullable();

const leftFiles: z.ZodType<LeftFile[]> = jsonColumn(
  z.array(z.object({ path: z.string(), was: fileState, now: fileState })),
);

const idOf = (row: Readonly<Record<string, unknown>>) => `${row.run_id}/${row.name}`;

const toCheckLeft = rowReader<CheckLeft>({
  table: "checks",
  id: idOf,
  schema: z
    .object({ name: z.string(), left_behind: leftFiles })
    .transform((row) => ({ check: row.name, files: row.left_behind })),
});

const toCheck = rowReader<CheckResult>({
  table: "checks",
  id: idOf,
  schema: z
    .object({
      run_id: z.string(),
      name: z.string(),
      tree: z.string(),
      command: z.string(),
      required: z.boolean(),
      outcome: z.enum(["passed", "failed", "timed_out", "stopped"] satisfies CheckResult["outcome"][]),
      exit_code: z.number().int().nullable(),
      duration_ms: z.number().int(),
      output: z.string(),
      left_behind: leftFiles,
      at: timeColumn,
    })
    .transform((row) => ({
      runId: row.run_id,
      name: row.name,
      tree: row.tree,
      command: row.command,
      required: row.required,
      outcome: row.outcome,
      exitCode: row.exit_code,
      durationMs: row.duration_ms,
      output: row.output,
      leftBehind: row.left_behind,
      at: row.at,
    })),
});
