/** Reads what the database says of every attempt, run and snapshot, in as few columns as comparing ledgers needs. */
import type { Attempt } from "../domain/attempt/attempt.ts";
import type { Reader } from "./schema.ts";

export type AttemptRow = Pick<
  Attempt,
  "id" | "branch" | "branchExisted" | "worktree" | "gitDir" | "state"
> & {
  readonly repositoryId: string;
};

/** All of them, removed ones too, in one query. */
export async function attemptRows(db: Reader): Promise<AttemptRow[]> {
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
    repositoryId: row.repository_id,
  }));
}

/** A state that this version does not know counts as one in which nothing may go. */
function stateOf(state: string): Attempt["state"] {
  return state === "removed" || state === "canceled" ? state : "open";
}
