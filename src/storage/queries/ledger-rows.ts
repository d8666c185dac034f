/** Reads the columns of every attempt, run and snapshot that comparing ledgers needs. */
import { type Attempt, cleanUpTroubleSchema } from "../../domain/attempt/attempt.ts";
import type { AttemptRecord, RunRecord } from "../../domain/ledgers/ledgers.ts";
import { isEnded, RUN_STATUSES } from "../../domain/run/state.ts";
import type { Reader } from "../schema/schema.ts";

/** All attempts, removed ones too, in one query. */
export async function attemptRows(db: Reader): Promise<AttemptRecord[]> {
  const rows = await db
    .selectFrom("attempts")
    .innerJoin("tasks", "tasks.id", "attempts.taskId")
    .select([
      "attempts.id",
      "attempts.branch",
      "attempts.branchExisted",
      "attempts.worktree",
      "attempts.gitDir",
      "attempts.state",
      "attempts.cleanUp",
      "tasks.repositoryId",
    ])
    .execute();
  return rows.map((row) => ({
    id: row.id,
    branch: row.branch,
    branchExisted: Boolean(row.branchExisted),
    worktree: row.worktree,
    gitDir: row.gitDir,
    state: stateOf(row.state),
    cleanUp: row.cleanUp === null ? null : cleanUpTroubleSchema.parse(JSON.parse(row.cleanUp)),
    repositoryId: row.repositoryId,
  }));
}

/** An unknown state counts as one in which nothing may be deleted. */
function stateOf(state: string): Attempt["state"] {
  return state === "removed" || state === "canceled" ? state : "open";
}

/** All runs in one query. An unknown status counts as one of a run that continues. */
export async function runRows(db: Reader): Promise<RunRecord[]> {
  const rows = await db.selectFrom("runs").select(["id", "attemptId", "status", "held"]).execute();
  return rows.map((row) => ({
    id: row.id,
    attemptId: row.attemptId,
    ended: ENDED.has(row.status),
    held: Boolean(row.held),
  }));
}

const ENDED: ReadonlySet<string> = new Set(RUN_STATUSES.filter(isEnded));

/** The snapshots whose references were not deleted. */
export async function snapshotRows(
  db: Reader,
): Promise<{ readonly attemptId: string; readonly ref: string }[]> {
  const rows = await db
    .selectFrom("snapshots")
    .select(["attemptId", "ref"])
    .where("droppedAt", "is", null)
    .execute();
  return rows.map((row) => ({ attemptId: row.attemptId, ref: row.ref }));
}
