/** Reads what a list of logs needs of their runs. */
import { isEnded, type RunStatus } from "../../domain/run/state.ts";
import type { Reader } from "../schema/schema.ts";

export interface LogRow {
  readonly run: string;
  readonly number: number;
  readonly ended: boolean;
  /** UTC ISO; null while it goes on. */
  readonly endedAt: string | null;
  readonly attempt: string;
  readonly attemptState: string;
  readonly agent: string;
  readonly task: string;
  readonly title: string;
  readonly repository: { readonly id: string; readonly name: string };
}

/** By their ids; runs that are not known are left out. */
export async function logRows(db: Reader, ids: readonly string[]): Promise<ReadonlyMap<string, LogRow>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("runs")
    .innerJoin("attempts", "attempts.id", "runs.attemptId")
    .innerJoin("tasks", "tasks.id", "attempts.taskId")
    .innerJoin("repositories", "repositories.id", "tasks.repositoryId")
    .where("runs.id", "in", ids)
    .select([
      "runs.id as run",
      "runs.number",
      "runs.status",
      "runs.endedAt",
      "attempts.id as attempt",
      "attempts.state as attemptState",
      "attempts.agent",
      "tasks.id as task",
      "tasks.title",
      "repositories.id as repositoryId",
      "repositories.name",
    ])
    .execute();
  return new Map(
    rows.map(({ status, repositoryId, name, ...row }) => [
      row.run,
      { ...row, ended: isEnded(status as RunStatus), repository: { id: repositoryId, name } },
    ]),
  );
}
