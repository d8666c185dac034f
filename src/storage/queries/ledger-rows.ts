/** Reads the columns of every attempt, run and snapshot that comparing ledgers needs. */
import { type Attempt, cleanUpTroubleSchema } from "../../domain/attempt/attempt.ts";
import type { Snapshot } from "../../domain/attempt/snapshot.ts";
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
      "attempts.repositoryId",
      "tasks.repositoryId as begunIn",
    ])
    .execute();
  return rows.map((row) => ({
    ...row,
    branchExisted: Boolean(row.branchExisted),
    state: stateOf(row.state),
    cleanUp: row.cleanUp === null ? null : cleanUpTroubleSchema.parse(JSON.parse(row.cleanUp)),
  }));
}

/** An unknown state counts as one in which nothing may be deleted. */
function stateOf(state: string): Attempt["state"] {
  return state === "removed" || state === "canceled" ? state : "open";
}

/** All runs in one query. An unknown status counts as one of a run that continues. */
export async function runRows(db: Reader): Promise<RunRecord[]> {
  const rows = await db.selectFrom("runs").select(["id", "attemptId", "status", "held"]).execute();
  return rows.map(({ status, held, ...row }) => ({
    ...row,
    ended: ENDED.has(status),
    held: Boolean(held),
  }));
}

const ENDED: ReadonlySet<string> = new Set(RUN_STATUSES.filter(isEnded));

/** The snapshots whose references were not deleted. */
export async function snapshotRows(db: Reader): Promise<Pick<Snapshot, "attemptId" | "ref">[]> {
  return db.selectFrom("snapshots").select(["attemptId", "ref"]).where("droppedAt", "is", null).execute();
}
