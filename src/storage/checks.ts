/** Stores what the declared checks of a run came to, together with the tree that they looked at. */
import { z } from "zod";
import { jsonColumn, rowReader, timeColumn, toJson, toTime } from "./row.ts";
import type { Reader, WriteTransaction } from "./schema.ts";

export interface CheckResult {
  readonly runId: string;
  /** As configured; unique within the run. */
  readonly name: string;
  /** The staged tree that was checked. */
  readonly tree: string;
  readonly command: string;
  readonly required: boolean;
  readonly outcome: "passed" | "failed" | "timed_out";
  /** Null where it timed out or was ended by a signal. */
  readonly exitCode: number | null;
  readonly durationMs: number;
  /** The end of what it printed. */
  readonly output: string;
  /** Files that it left in the worktree; reported, never staged. */
  readonly leftBehind: readonly string[];
  readonly at: string;
}

/** Stores the result in place of an earlier one of the same run and name. */
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

const toCheck = rowReader<CheckResult>({
  table: "checks",
  id: (row) => `${row.run_id}/${row.name}`,
  schema: z
    .object({
      run_id: z.string(),
      name: z.string(),
      tree: z.string(),
      command: z.string(),
      required: z.boolean(),
      outcome: z.enum(["passed", "failed", "timed_out"] satisfies CheckResult["outcome"][]),
      exit_code: z.number().int().nullable(),
      duration_ms: z.number().int(),
      output: z.string(),
      left_behind: jsonColumn(z.array(z.string())),
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
