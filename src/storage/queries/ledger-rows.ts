/** Reads the columns of every attempt, run and snapshot that comparing ledgers needs. */
import type { Attempt } from "../../domain/attempt/attempt.ts";
import type { AttemptRecord, RunRecord } from "../../domain/ledgers/ledgers.ts";
import { isEnded, RUN_STATUSES } from "../../domain/run/state.ts";
import type { Reader } from "../schema/schema.ts";
import { cleanUpTrouble } from "../tables/attempts.ts";

/** All attempts, removed ones too, in one query. */
export async function attemptRows(db: Reader): Promise<AttemptRecord[]> {
  const rows = await db
    .selectFrom("attempts")
    .innerJoin("tasks", "tasks.id", "attempts.task_id")
    .select([
      "attempts.id",
      "attempts.branch",
      "attempts.branch_existed",
      "attempts.worktree",
      "attempts.git_dir",
      "attempts.state",
      "attempts.clean_up",
      "tasks.repository_id",
    ])
    .execute();
  return rows.map((row) => ({
    id: row.id,
    branch: row.branch,
    branchExisted: Boolean(row.branch_existed),
    worktree: row.worktree,
    gitDir: row.git_dir,
    state: stateOf(row.state),
    cleanUp: row.clean_up === null ? null : cleanUpTrouble.parse(JSON.parse(row.clean_up)),
    repositoryId: row.repository_id,
  }));
}

/** An unknown state counts as one in which nothing may be deleted. */
function stateOf(state: string): Attempt["state"] {
  return state === "removed" || state === "canceled" ? state : "open";
}

/** All runs in one query. An unknown status counts as one of a run that continues. */
export async function runRows(db: Reader): Promise<RunRecord[]> {
  const rows = await db.selectFrom("runs").select(["id", "attempt_id", "status", "held"]).execute();
  return rows.map((row) => ({
    id: row.id,
    attemptId: row.attempt_id,
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
    .select(["attempt_id", "ref"])
    .where("dropped_at", "is", null)
    .execute();
  return rows.map((row) => ({ attemptId: row.attempt_id, ref: row.ref }));
}
