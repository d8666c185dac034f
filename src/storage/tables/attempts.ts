/** Stores attempts: one agent's line of work on a task. */
import { z } from "zod";
import type { UsageTotals } from "../../domain/agent/events.ts";
import type { Attempt, AttemptPatch, CleanUpTrouble, StartedFrom } from "../../domain/attempt/attempt.ts";
import {
  changedColumns,
  jsonColumn,
  rowReader,
  timeColumn,
  toJsonOrNull,
  toTime,
  toTimeOrNull,
} from "../schema/row.ts";
import type { AttemptsTable, Reader, WriteTransaction } from "../schema/schema.ts";

/** A new attempt: the storage gives its number, it is open, and git has made nothing yet. */
export type NewAttempt = Pick<
  Attempt,
  | "id"
  | "taskId"
  | "agent"
  | "executor"
  | "model"
  | "branch"
  | "branchExisted"
  | "worktree"
  | "base"
  | "createdAt"
>;

/** What may change in an attempt; absent keys stay as they are. */
export type AttemptChange = Partial<
  Pick<
    Attempt,
    | "branch"
    | "gitDir"
    | "base"
    | "session"
    | "usageTotals"
    | "patch"
    | "model"
    | "state"
    | "cleanUp"
    | "endedAt"
    | "startedFrom"
  >
>;

/** Throws if the id or the worktree is taken. */
export async function insertAttempt(trx: WriteTransaction, attempt: NewAttempt): Promise<Attempt> {
  const { number } = await trx
    .selectFrom("attempts")
    .select((eb) => eb.fn.coalesce(eb.fn.max("number"), eb.lit(0)).as("number"))
    .where("task_id", "=", attempt.taskId)
    .executeTakeFirstOrThrow();
  const row = await trx
    .insertInto("attempts")
    .values({
      id: attempt.id,
      task_id: attempt.taskId,
      number: number + 1,
      agent: attempt.agent,
      executor: attempt.executor,
      model: attempt.model,
      branch: attempt.branch,
      branch_existed: attempt.branchExisted,
      worktree: attempt.worktree,
      git_dir: null,
      base_branch: attempt.base.branch,
      base_sha: attempt.base.sha,
      started_from: null,
      session_id: null,
      session_cwd: null,
      usage_totals: null,
      patch: null,
      state: "open",
      clean_up: null,
      created_at: toTime(attempt.createdAt),
      ended_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await noteOpenTask(trx, attempt.id);
  return toAttempt(row);
}

export async function getAttempt(db: Reader, id: string): Promise<Attempt | null> {
  const row = await db.selectFrom("attempts").selectAll().where("id", "=", id).executeTakeFirst();
  return row === undefined ? null : toAttempt(row);
}

/** By number. */
export async function attemptsOfTask(db: Reader, taskId: string): Promise<Attempt[]> {
  return attemptsOfTasks(db, [taskId]);
}

/** By number within each task. */
export async function attemptsOfTasks(db: Reader, taskIds: readonly string[]): Promise<Attempt[]> {
  if (taskIds.length === 0) return [];
  const rows = await db
    .selectFrom("attempts")
    .selectAll()
    .where("task_id", "in", taskIds)
    .orderBy("task_id")
    .orderBy("number")
    .execute();
  return rows.map(toAttempt);
}

/** Has no fence of its own: a caller that writes as the owner of a run checks `holdsLease` in the same transaction. */
export async function updateAttempt(
  trx: WriteTransaction,
  change: { readonly id: string; readonly set: AttemptChange },
): Promise<"updated" | "missing"> {
  const set = changedColumns<AttemptChange, Partial<AttemptsTable>>(change.set, {
    branch: (branch) => ({ branch }),
    gitDir: (git_dir) => ({ git_dir }),
    base: (base) => ({ base_branch: base.branch, base_sha: base.sha }),
    startedFrom: (from) => ({ started_from: toJsonOrNull(from) }),
    session: (session) => ({ session_id: session?.id ?? null, session_cwd: session?.cwd ?? null }),
    usageTotals: (totals) => ({ usage_totals: toJsonOrNull(totals) }),
    patch: (patch) => ({ patch: toJsonOrNull(patch) }),
    model: (model) => ({ model }),
    state: (state) => ({ state }),
    cleanUp: (trouble) => ({ clean_up: toJsonOrNull(trouble) }),
    endedAt: (at) => ({ ended_at: toTimeOrNull(at) }),
  });
  const result = await trx
    .updateTable("attempts")
    .set({ ...set, id: change.id })
    .where("id", "=", change.id)
    .executeTakeFirst();
  if (change.set.state !== undefined || change.set.cleanUp !== undefined) await noteOpenTask(trx, change.id);
  return result.numUpdatedRows === 1n ? "updated" : "missing";
}

/** Stores with the attempt's task whether any of its attempts is open, or cannot be cleaned up. */
async function noteOpenTask(trx: WriteTransaction, attemptId: string): Promise<void> {
  const open = trx
    .selectFrom("attempts")
    .select((eb) => eb.fn.countAll<number>().as("n"))
    .where((eb) => eb.or([eb("state", "=", "open"), eb("clean_up", "is not", null)]))
    .where("task_id", "=", taskOf(trx, attemptId));
  const { n } = await open.executeTakeFirstOrThrow();
  await trx
    .updateTable("tasks")
    .set({ open: n > 0 })
    .where("id", "=", taskOf(trx, attemptId))
    .execute();
}

const taskOf = (trx: WriteTransaction, attemptId: string) =>
  trx.selectFrom("attempts").select("task_id").where("id", "=", attemptId);

const usageTotals: z.ZodType<UsageTotals> = z.object({
  inputTokens: z.number(),
  cachedInputTokens: z.number(),
  outputTokens: z.number(),
  costUsd: z.number().nullable(),
});

const startedFrom: z.ZodType<StartedFrom> = z.object({
  name: z.string(),
  fromWorktree: z.boolean(),
  ahead: z.number().nullable(),
  behind: z.number().nullable(),
});

const attemptPatch: z.ZodType<AttemptPatch> = z.object({
  from: z.string(),
  to: z.string(),
  files: z.number(),
  additions: z.number(),
  deletions: z.number(),
  tip: z.string().nullable().default(null),
});

export const cleanUpTrouble: z.ZodType<CleanUpTrouble> = z.object({
  why: z.string(),
  triedAt: timeColumn,
  againAt: timeColumn,
});

export const toAttempt = rowReader<Attempt>({
  table: "attempts",
  id: (row) => String(row.id),
  schema: z
    .object({
      id: z.string(),
      task_id: z.string(),
      number: z.number().int(),
      agent: z.string(),
      executor: z.string(),
      model: z.string().nullable(),
      branch: z.string(),
      branch_existed: z.boolean(),
      worktree: z.string(),
      git_dir: z.string().nullable(),
      base_branch: z.string().nullable(),
      base_sha: z.string().nullable(),
      started_from: jsonColumn(startedFrom).nullable(),
      session_id: z.string().nullable(),
      session_cwd: z.string().nullable(),
      usage_totals: jsonColumn(usageTotals).nullable(),
      patch: jsonColumn(attemptPatch).nullable(),
      state: z.enum(["open", "canceled", "removed"] satisfies Attempt["state"][]),
      clean_up: jsonColumn(cleanUpTrouble).nullable(),
      created_at: timeColumn,
      ended_at: timeColumn.nullable(),
    })
    .transform((row) => ({
      id: row.id,
      taskId: row.task_id,
      number: row.number,
      agent: row.agent,
      executor: row.executor,
      model: row.model,
      branch: row.branch,
      branchExisted: row.branch_existed,
      worktree: row.worktree,
      gitDir: row.git_dir,
      base: { branch: row.base_branch, sha: row.base_sha },
      startedFrom: row.started_from,
      session:
        row.session_id === null || row.session_cwd === null
          ? null
          : { id: row.session_id, cwd: row.session_cwd },
      usageTotals: row.usage_totals,
      patch: row.patch,
      state: row.state,
      cleanUp: row.clean_up,
      createdAt: row.created_at,
      endedAt: row.ended_at,
    })),
});
